import { identity } from '@atrium/contract/identity/identity'
import { personal } from '@atrium/contract/member/personal'
import { consent } from '@atrium/contract/sso/consent'
import { registry } from '@atrium/contract/sso/registry'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { casBrowser, ticketOf, validateTicket } from '../../../../test/cas-browser.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let serviceId = ''
const asking = 'https://asking.example.edu.cn/'
const open = 'https://open.example.edu.cn/'
const hidden = 'https://hidden.example.edu.cn/'
const content = {
  nameEn: 'Asking',
  addresses: [asking],
  attributes: ['name', 'mobile'],
  purpose: '联系你',
  consentNeeded: true,
  logoutUrl: `${asking}logout`,
}
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
  const admin = await app.as('admin')
  serviceId = await serviceFor(true)
  const staffOnly = await serviceFor(false)
  for (const body of [
    { code: 'asking', ...content, serviceId },
    { code: 'open', name: '开放', addresses: [open], attributes: ['groups'] },
    { code: 'hidden', name: '内部', addresses: [hidden], serviceId: staffOnly },
  ])
    expect((await admin(registry.create, { body })).status).toBe(200)
})

/** A catalogue service that both student and teacher may use, or neither. */
async function serviceFor(may: boolean) {
  const audiencesOf = async (username: string) =>
    (await app.platform.guard.viewerOf(await app.tokenOf(username))).audiences as number[]
  const [first, second] = [await audiencesOf('student'), await audiencesOf('teacher')]
  const { rows } = await sql<{ id: string }>`
    select id from service where (audience_id = any(${first}::integer[])) = ${may}
      and (audience_id = any(${second}::integer[])) = ${may}
      and id not in (select service_id from relying_party where service_id is not null)
    order by id limit 1`.execute(app.platform.db)
  return rows[0]?.id ?? ''
}
const find = async (caller: Caller, code: string) =>
  (await caller(consent.list)).data.find((one) => one.code === code)

describe('a service that requires consent', () => {
  test('is authorized by consent to exactly the shown attributes', async () => {
    const before = await student(consent.state, { query: { serviceId } })
    expect(before.data).toMatchObject({
      authorized: false,
      code: 'asking',
      attributes: ['name', 'mobile'],
    })
    const less = await student(consent.agree, { body: { serviceId, attributes: ['name'] } })
    expect(less).toMatchObject({ status: 409, error: 'consent.changed' })
    const agreed = await student(consent.agree, {
      body: { serviceId, attributes: ['mobile', 'name'] },
    })
    expect(agreed.data.authorized).toBe(true)
    expect((await teacher(consent.state, { query: { serviceId } })).data.authorized).toBe(false)
    expect(await find(student, 'asking')).toMatchObject({
      state: 'agreed',
      nameEn: 'Asking',
      released: [],
      agreedAt: expect.any(String),
      lastAt: null,
    })
    expect(await find(teacher, 'asking')).toBeUndefined()
  })

  test('is listed in the receipt with released attributes, times and counts', async () => {
    const browser = casBrowser(app.app)
    await browser.signIn()
    for (let n = 0; n < 2; n++) {
      const ticket = ticketOf(await browser.open({ service: asking }))
      expect((await validateTicket(app.app, { service: asking, ticket })).user).toBe('student')
    }
    const receipt = await find(student, 'asking')
    expect(receipt?.released.map(({ attribute, count }) => [attribute, count])).toEqual([
      ['username', 2],
      ['name', 2],
      ['mobile', 2],
    ])
    const [first] = receipt?.released ?? []
    expect(Date.parse(first?.lastAt ?? '')).toBeGreaterThan(Date.parse(first?.firstAt ?? ''))
    expect(receipt?.lastAt).toBe(first?.lastAt)
  })

  test('is notified to end its sessions when consent is revoked, and asks again', async () => {
    const notices = async () => {
      const { rows } = await sql<{ sealed_key: string }>`
        select sealed_key from logout_notice`.execute(app.platform.db)
      return rows.map((row) => app.platform.secret.decrypt(row.sealed_key))
    }
    const browser = casBrowser(app.app)
    await browser.signIn()
    const tickets = [open, asking].map(async (service) => {
      const ticket = ticketOf(await browser.open({ service }))
      await validateTicket(app.app, { service, ticket })
      return ticket
    })
    const [, ofAsking] = await Promise.all(tickets)
    const revoke = () => student(consent.revoke, { params: { code: 'asking' } })
    expect((await teacher(consent.revoke, { params: { code: 'asking' } })).error).toBe(
      'consent.not_found',
    )
    expect(await notices()).toEqual([])
    expect((await revoke()).status).toBe(200)
    expect(await notices()).toContain(ofAsking)
    // Ending its session does not make the ticket valid again.
    const again = await validateTicket(app.app, { service: asking, ticket: String(ofAsking) })
    expect(again.failure).toBe('INVALID_TICKET')
    expect(await revoke()).toMatchObject({ status: 404, error: 'consent.not_found' })
    expect((await student(consent.state, { query: { serviceId } })).data.authorized).toBe(false)
    // The record of the release remains.
    expect(await find(student, 'asking')).toMatchObject({ state: 'withdrawn', agreedAt: null })
    expect((await browser.open({ service: asking })).body).toContain('needs your permission')
    // Only that system is affected: the sign-in itself continues.
    expect(ticketOf(await browser.open({ service: open }))).toMatch(/^ST-/)
  })

  test('cannot be removed from the registry once data was released', async () => {
    const admin = await app.as('admin')
    const gone = await admin(registry.remove, { params: { code: 'asking' } })
    expect(gone).toMatchObject({ status: 409, error: 'registry.in_use' })
  })

  test('is unknown to members who may not use it, like a missing one', async () => {
    const missing = await student(consent.state, { query: { serviceId: '999999' } })
    expect(missing).toMatchObject({ status: 404, error: 'consent.service_unknown' })
    const { rows } = await sql<{ id: string }>`
      select service_id as id from relying_party where code = 'hidden'`.execute(app.platform.db)
    const others = await student(consent.state, { query: { serviceId: rows[0]?.id ?? '' } })
    expect(others).toMatchObject({ status: 404, error: 'consent.service_unknown' })
    expect((await app.visitor(consent.list)).status).toBe(401)
    expect((await app.visitor(consent.jumpToken, { body: { url: open } })).status).toBe(401)
  })
})

describe('a jump token', () => {
  const jump = (caller: Caller, url: string) => caller(consent.jumpToken, { body: { url } })

  test('is valid for one service and two minutes, with the registered attributes', async () => {
    const { data } = await jump(student, `${open}start?from=portal#top`)
    expect(data).toMatchObject({ audience: 'open', url: `${open}start?from=portal` })
    const keys = JSON.parse((await app.visitor(identity.jwks)).raw)
    const { payload } = await jwtVerify(data.token, createLocalJWKSet(keys), {
      audience: 'open',
      issuer: app.platform.origin(),
      typ: 'at+jwt',
      algorithms: ['ES256'],
    })
    expect(Object.keys(payload).sort()).toEqual(
      ['aud', 'exp', 'groups', 'iat', 'iss', 'jti', 'sub'].sort(),
    )
    expect(payload.sub).toBe('student')
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(120)
    expect((await find(student, 'open'))?.released.map(({ attribute }) => attribute)).toEqual([
      'username',
      'groups',
    ])
    expect(await find(student, 'open')).toMatchObject({ state: 'institution' })
  })

  test('is not accepted by the portal', async () => {
    const { data } = await jump(student, open)
    expect(decodeProtectedHeader(data.token).typ).toBe('at+jwt')
    expect(decodeJwt(data.token).aud).toBe('open')
    expect(await app.withToken(data.token)(personal.me)).toMatchObject({
      status: 401,
      error: 'session.expired',
    })
  })

  test.each([
    'https://open.example.edu.cn.evil.example/',
    'https://open.example.edu.cn@evil.example/',
    'http://open.example.edu.cn/',
    '//open.example.edu.cn/',
    'javascript:alert(1)',
    'https://stranger.example/',
    hidden,
    '',
  ])('is not issued for the address %j', async (url) => {
    expect(await jump(student, url)).toMatchObject({
      status: 404,
      error: 'consent.service_unknown',
    })
  })

  test('is not issued before consent', async () => {
    expect(await jump(teacher, asking)).toMatchObject({ status: 403, error: 'consent.due' })
    await teacher(consent.agree, { body: { serviceId, attributes: ['name', 'mobile'] } })
    const { data } = await jump(teacher, asking)
    expect(decodeJwt(data.token)).toMatchObject({ name: '周明远', mobile: '13800000002' })
  })
})
