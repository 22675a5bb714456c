import { audit } from '@atrium/contract/identity/operators.operator'
import { registry } from '@atrium/contract/sso/registry'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { type Caller, openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { findParty, findPartyAt, findPartyOfService } from './parties.ts'
import { verifySecret } from './secrets.ts'

// A timeout, not a measurement: the machine may be busy.
const soon = { timeout: 20_000 }

let app: TestApp
let admin: Caller
let other: Awaited<ReturnType<typeof openNode>>
beforeAll(async () => {
  app = await testApp()
  admin = await app.as('admin')
  other = await openNode(app.url)
})
afterAll(async () => {
  await other.app.close()
  await other.platform.close()
})

const shop = {
  code: 'shop',
  name: '校园商店',
  addresses: ['https://shop.example.edu/app'],
  attributes: ['name', 'mobile'],
}
const make = (body: object) => admin(registry.create, { body })
/** An update names the system in its address. */
const withoutCode = ({ code: _, ...content }: typeof shop) => content

describe('relying parties', () => {
  test('are created, changed and removed on every node', async () => {
    const made = await make(shop)
    expect(made.data).toMatchObject({ ...shop, enabled: true, hasSecret: false, audience: '' })
    const at = (address: string) => findPartyAt(other.platform, address)
    await expect
      .poll(async () => (await at('https://shop.example.edu/app/basket?id=1'))?.party.code, soon)
      .toBe('shop')
    expect(await findParty(app.platform, 'shop')).toMatchObject({
      audience: 'shop',
      nameEn: '校园商店',
    })
    const changed = await admin(registry.update, {
      params: { code: 'shop' },
      body: { ...withoutCode(shop), enabled: false },
    })
    expect(changed.data.enabled).toBe(false)
    await expect.poll(async () => at('https://shop.example.edu/app'), soon).toBeUndefined()
    expect((await admin(registry.remove, { params: { code: 'shop' } })).status).toBe(200)
    const again = await admin(registry.remove, { params: { code: 'shop' } })
    expect(again).toMatchObject({ status: 404, error: 'registry.not_found' })
    expect((await admin(registry.list)).data.map(({ code }) => code)).not.toContain('shop')
  })

  test.each([
    ['https://shop.example.edu/app', true],
    ['https://shop.example.edu/app/', true],
    ['https://SHOP.example.edu:443/app/basket', true],
    ['https://shop.example.edu/apple', false],
    ['https://shop.example.edu/', false],
    ['https://shop.example.edu/app/../admin', false],
    ['https://shop.example.edu/app/%2e%2e/admin', false],
    ['https://shop.example.edu/app%2f..%2fadmin', false],
    ['http://shop.example.edu/app', false],
    ['https://shop.example.edu:8443/app', false],
    ['https://shop.example.edu.evil.example/app', false],
    ['https://shop.example.edu@evil.example/app', false],
    ['https://evil.example\\@shop.example.edu/app', false],
    ['https://evil.example#@shop.example.edu/app', false],
    ['//shop.example.edu/app', false],
    ['https:shop.example.edu/app', false],
    ['javascript:alert(1)//https://shop.example.edu/app', false],
  ])('own addresses only below their own path: %s', async (address, owned) => {
    await make({ ...shop, code: 'bounds', addresses: ['https://shop.example.edu/app'] })
    expect((await findPartyAt(app.platform, address))?.party.code).toBe(
      owned ? 'bounds' : undefined,
    )
  })

  test('the most specific one owns an address', async () => {
    await make({ ...shop, code: 'whole', addresses: ['https://both.example.edu/'] })
    await make({ ...shop, code: 'part', addresses: ['https://both.example.edu/part'] })
    const code = async (address: string) => (await findPartyAt(app.platform, address))?.party.code
    expect(await code('https://both.example.edu/part/1')).toBe('part')
    expect(await code('https://both.example.edu/partly')).toBe('whole')
  })

  test('inherit the name and address of a linked catalogue service', async () => {
    const service = await app.platform.db
      .selectFrom('service')
      .select(['id', 'name', 'url'])
      .where('url', 'like', 'https://%')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const made = await make({ code: 'linked', serviceId: service.id })
    expect(made.status).toBe(200)
    const party = await findPartyOfService(app.platform, service.id)
    expect(party).toMatchObject({ code: 'linked', name: service.name })
    expect((await findPartyAt(app.platform, service.url))?.party.code).toBe('linked')
  })

  test('are rejected with the invalid fields, and nothing is stored', async () => {
    const refused = await make({
      code: 'wrong',
      name: '',
      addresses: ['http://shop.example.edu/', 'https://*.example.edu/'],
      redirectUris: ['https://a:b@shop.example.edu/'],
      logoutUrl: 'ftp://shop.example.edu/',
    })
    expect(refused).toMatchObject({ status: 400, error: 'request.invalid' })
    expect(refused.fields).toEqual({
      name: '必填',
      'addresses.0': '必须以 https:// 开头',
      'addresses.1': expect.stringContaining('通配符'),
      'redirectUris.0': expect.stringContaining('用户名'),
      logoutUrl: '必须以 https:// 开头',
    })
    expect((await make({ ...shop, code: 'Wrong Code' })).status).toBe(400)
    expect((await make({ ...shop, code: 'wrong', attributes: ['password'] })).status).toBe(400)
    expect((await admin(registry.list)).data.map(({ code }) => code)).not.toContain('wrong')
  })

  test('have a unique code', async () => {
    await make({ ...shop, code: 'once', addresses: ['https://once.example.edu/'] })
    const twice = await make({ ...shop, code: 'once', addresses: ['https://twice.example.edu/'] })
    expect(twice).toMatchObject({ status: 409, error: 'registry.code_taken' })
  })

  test('are managed only by identity operators', async () => {
    const { db, topics } = app.platform
    const teacher = await findAccountByUsername(db, 'teacher')
    await insertGrants(db, teacher?.id ?? '', ['services', 'system'], null)
    await topics.flushed()
    for (const who of ['student', 'teacher'] as const) {
      const caller = await app.as(who)
      expect((await caller(registry.list)).status).toBe(403)
      expect((await caller(registry.create, { body: shop })).status).toBe(403)
      const asked = await caller(registry.replaceSecret, { params: { code: 'library' } })
      expect(asked.status).toBe(403)
    }
    expect((await app.visitor(registry.list)).status).toBe(401)
  })
})

describe('a client secret', () => {
  test('is returned once, replaceable, stored as a hash and absent from the audit log', async () => {
    await make({ ...shop, code: 'client', addresses: ['https://client.example.edu/'] })
    const replace = async () =>
      (await admin(registry.replaceSecret, { params: { code: 'client' } })).data.secret
    const first = await replace()
    const second = await replace()
    expect(first).toMatch(/^[\w-]{43}$/)
    const party = await findParty(app.platform, 'client')
    if (!party) throw new Error('the client is not there')
    expect([verifySecret(party, first), verifySecret(party, second)]).toEqual([false, true])
    expect(verifySecret({ ...party, secretHash: null }, '')).toBe(false)
    const listed = await admin(registry.list)
    expect(listed.raw).not.toContain(second)
    expect(listed.raw).not.toContain(party.secretHash ?? '-')
    const log = await admin(audit.list, { query: { pageSize: 50 } })
    expect(log.raw).toContain('/console-api/v1/relying-parties/{code}/secret')
    expect(log.raw).not.toContain(second)
  })

  test('is deleted and refused for a public client', async () => {
    const open = { ...shop, code: 'open', addresses: ['https://open.example.edu/'] }
    await make(open)
    await admin(registry.replaceSecret, { params: { code: 'open' } })
    const { data } = await admin(registry.update, {
      params: { code: 'open' },
      body: { ...withoutCode(open), publicClient: true },
    })
    expect(data).toMatchObject({ hasSecret: false, secretSetAt: null })
    const asked = await admin(registry.replaceSecret, { params: { code: 'open' } })
    expect(asked).toMatchObject({ status: 409, error: 'registry.public_client' })
  })
})
