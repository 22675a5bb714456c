import { identityProviders } from '@atrium/contract/identity/federation'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPersonalSystem } from '../../../../test/personal-system.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  admin = await app.as('admin')
})

let created = 0
const create = async (kind: string, settings: object) => {
  const { data, status } = await admin(identityProviders.create, {
    body: { code: `provider-${++created}`, kind, name: '登录', settings, secret: 'the secret' },
  })
  expect(status).toBe(200)
  return data.id
}
const update = (id: string, settings: object, secret?: string) =>
  admin(identityProviders.update, {
    params: { id },
    body: { name: '登录', settings, ...(secret !== undefined && { secret }) },
  })
const refused = { status: 400, error: 'request.invalid', fields: { secret: expect.any(String) } }

describe('a stored secret', () => {
  test.each<[string, object, string]>([
    ['openid', { clientId: 'portal', issuer: 'https://login.example.edu/one' }, 'issuer'],
    ['wechat-mini', { appId: 'wx0123456789abcdef' }, 'apiUrl'],
    ['wechat-mp', { appId: 'wx0123456789abcdef', apiUrl: 'https://api.example.edu' }, 'apiUrl'],
    ['wecom', { corpId: 'ww0123456789', agentId: '1000002' }, 'apiUrl'],
  ])('of %s must be entered again for another host', async (kind, settings, field) => {
    const id = await create(kind, settings)
    const elsewhere = { ...settings, [field]: 'https://elsewhere.example/api' }
    expect(await update(id, elsewhere)).toMatchObject(refused)
    expect((await update(id, settings)).data).toMatchObject({ settings, secretSet: true })
    expect(await update(id, elsewhere, 'a new secret')).toMatchObject({ status: 200 })
    // Another path on the same host is no other recipient.
    const samePlace = { ...settings, [field]: 'https://elsewhere.example/other' }
    expect((await update(id, samePlace)).data).toMatchObject({ secretSet: true })
    expect(await update(id, settings)).toMatchObject(refused)
  })

  test('is not sent to a new host by a connection test', async () => {
    const [own, other] = [await openPersonalSystem(), await openPersonalSystem()]
    onTestFinished(async () => {
      await Promise.all([own.close(), other.close()])
    })
    app.platform.env.ATRIUM_OUTBOUND_ALLOW = `${own.allow},${other.allow}`
    const settings = { corpId: 'ww0123456789', agentId: '1000002' }
    const id = await create('wecom', { ...settings, apiUrl: own.origin })
    expect(await update(id, { ...settings, apiUrl: other.origin })).toMatchObject(refused)
    await admin(identityProviders.test, { params: { id } })
    expect(own.asked.map(({ url }) => url.searchParams.get('corpsecret'))).toEqual(['the secret'])
    expect(other.asked).toEqual([])
  })

  test('that the provider does not use or that was removed is not asked for', async () => {
    const cas = await create('cas', { serverUrl: 'https://cas.example.edu/cas' })
    expect(await update(cas, { serverUrl: 'https://elsewhere.example/cas' })).toMatchObject({
      status: 200,
    })
    const settings = { clientId: 'portal', issuer: 'https://login.example.edu' }
    const elsewhere = { ...settings, issuer: 'https://elsewhere.example' }
    const id = await create('openid', settings)
    expect((await update(id, elsewhere, '')).data).toMatchObject({ secretSet: false })
    expect(await update(id, settings)).toMatchObject({ status: 200 })
  })
})
