import { account } from '@atrium/contract/identity/account'
import { identity, signInSteps } from '@atrium/contract/identity/identity'
import { memberSessions, sessions } from '@atrium/contract/identity/sessions'
import { personal } from '@atrium/contract/member/personal'
import { settings } from '@atrium/contract/shell/config.operator'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clearAuthenticationLog } from '#domains/identity/identity/authentication-log.ts'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { deleteGrants, insertGrants } from '#domains/identity/operators/queries.ts'
import {
  type Caller,
  demoPassword,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'
import { deleteOldSessions, endSignInOf, findSignInPerson } from './queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
beforeEach(async () => {
  await app.platform.db.deleteFrom('session').execute()
  await app.platform.db.deleteFrom('known_device').execute()
  await app.platform.db.deleteFrom('outbox').execute()
})

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.49'
const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0'

async function signIn(
  username = 'student',
  headers: Record<string, string> = {},
  address = '10.20.3.4',
) {
  const answer = await app.app.inject({
    method: 'POST',
    url: identity.passwordLogin.path,
    payload: { username, password: demoPassword },
    headers: { 'user-agent': windows, ...headers },
    remoteAddress: address,
  })
  const token = answer.json().data.idToken as string
  const device = answer.cookies.find(({ name }) => name === 'DV-atrium')?.value ?? ''
  return { token, device, call: app.withToken(token) }
}
const deviceInfo = (deviceId: string) =>
  Buffer.from(JSON.stringify({ deviceId })).toString('base64url')

describe('signed-in devices', () => {
  test('are listed once each with their details, the current one marked', async () => {
    const here = await signIn()
    await signIn('student', { 'user-agent': iPhone }, '203.0.113.9')
    const { data } = await here.call(sessions.list)
    expect(data).toHaveLength(2)
    expect(data.filter(({ current }) => current)).toMatchObject([
      {
        username: 'student',
        way: 'password',
        strong: false,
        address: '10.20.3.4',
        device: { kind: 'computer', system: 'Windows', program: 'Edge' },
      },
    ])
    expect(data.find(({ current }) => !current)).toMatchObject({
      address: '203.0.113.9',
      device: { kind: 'phone', system: 'iOS 17', model: 'iPhone', program: 'wechat' },
    })
  })

  test('are named by the configured networks, the most specific first', async () => {
    const operator = await signIn('admin')
    const set = (value: unknown) =>
      operator.call(settings.update, { params: { key: 'addressPlaces' }, body: { value } })
    const places = { '10.0.0.0/8': '校园网', '10.20.0.0/16': '宿舍区', '2001:da8::/32': '教育网' }
    expect((await set(places)).status).toBe(200)
    const here = await signIn()
    for (const address of ['10.9.9.9', '::ffff:10.20.1.1', '2001:da8::1', '203.0.113.9'])
      await signIn('student', {}, address)
    const { data } = await here.call(sessions.list)
    expect(Object.fromEntries(data.map(({ address, place }) => [address, place]))).toEqual({
      '10.20.3.4': '宿舍区',
      '10.9.9.9': '校园网',
      '::ffff:10.20.1.1': '宿舍区',
      '2001:da8::1': '教育网',
      '203.0.113.9': '',
    })
    for (const wrong of ['x', { '10.0.0.0/33': 'x' }, { '10.0.0.256/8': 'x' }, { zone: 'x' }])
      expect((await set(wrong)).error).toBe('config.value_invalid')
  })

  test('are signed out one by one, together with the central session', async () => {
    const here = await signIn()
    const there = await signIn('student', { 'user-agent': iPhone })
    const { data } = await here.call(sessions.list)
    const id = data.find(({ current }) => !current)?.id ?? ''
    expect((await here.call(sessions.remove, { params: { id } })).status).toBe(200)
    expect((await there.call(personal.me)).status).toBe(401)
    expect((await here.call(personal.me)).status).toBe(200)
    expect(
      await app.platform.db
        .selectFrom('session')
        .select(['kind', 'end_reason'])
        .where('revoked_at', 'is not', null)
        .orderBy('kind')
        .execute(),
    ).toEqual([
      { kind: 'central', end_reason: 'member' },
      { kind: 'portal', end_reason: 'member' },
    ])
    expect(await here.call(sessions.remove, { params: { id } })).toMatchObject({
      status: 404,
      error: 'session.not_found',
    })
  })

  test('are all signed out except this one, on another node within a second', async () => {
    const here = await signIn()
    const others = [await signIn(), await signIn('student', { 'user-agent': iPhone })]
    const teacher = await signIn('teacher')
    const node = await openNode(app.url)
    const there = async (token: string) =>
      (await node.app.inject({ url: personal.me.path, headers: { 'x-id-token': token } }))
        .statusCode
    for (const { token } of others) expect(await there(token)).toBe(200)
    expect((await here.call(sessions.removeOthers)).data).toEqual({ ended: 4 })
    for (const { call } of others) expect((await call(personal.me)).status).toBe(401)
    for (const { token } of others)
      await expect.poll(() => there(token), { timeout: 1000 }).toBe(401)
    expect((await here.call(personal.me)).status).toBe(200)
    expect((await here.call(sessions.list)).data).toHaveLength(1)
    expect((await teacher.call(personal.me)).status).toBe(200)
    await node.app.close()
    await node.platform.close()
  })

  test('of other members cannot be listed or signed out, nor without a session', async () => {
    const student = await signIn()
    const teacher = await signIn('teacher')
    const [own] = (await student.call(sessions.list)).data
    expect((await teacher.call(sessions.list)).data.map(({ id }) => id)).not.toContain(own?.id)
    const params = { id: own?.id ?? '' }
    expect(await teacher.call(sessions.remove, { params })).toMatchObject({ status: 404 })
    for (const id of ['x', "'; drop table session", '%00'])
      expect((await teacher.call(sessions.remove, { params: { id } })).status).toBe(400)
    expect((await student.call(personal.me)).status).toBe(200)
    expect((await app.visitor(sessions.list)).status).toBe(401)
    expect((await app.visitor(sessions.removeOthers)).status).toBe(401)
    expect((await app.visitor(sessions.remove, { params })).status).toBe(401)
  })

  test('are signed out after inactivity', async () => {
    const here = await signIn()
    const there = await signIn('student', { 'user-agent': iPhone })
    await app.platform.db
      .updateTable('session')
      .set({ last_seen_at: sql`now() - interval '15 days'` })
      .where(sql<boolean>`device ->> 'userAgent' = ${iPhone}`)
      .execute()
    expect((await there.call(personal.me)).status).toBe(401)
    expect((await here.call(sessions.list)).data).toHaveLength(1)
  })
})

test('a change of the password ends all other sessions of the person, with every account', async () => {
  const { db } = app.platform
  const staff = db.selectFrom('account').select('person_id').where('username', '=', 'staff')
  const before = await db
    .selectFrom('person')
    .select('password_hash')
    .where('id', '=', staff)
    .executeTakeFirstOrThrow()
  const here = await signIn('staff')
  // Both accounts belong to one person.
  const others = [await signIn('staff'), await signIn('2023410086')]
  const student = await signIn()
  const body = { newPassword: 'seven quiet herons at dawn' }
  expect((await here.call(account.changePassword, { body })).status).toBe(200)
  expect((await here.call(personal.me)).status).toBe(200)
  for (const { call } of others) expect((await call(personal.me)).status).toBe(401)
  expect((await student.call(personal.me)).status).toBe(200)
  const ended = await db
    .selectFrom('session')
    .select(['kind', 'end_reason'])
    .where('revoked_at', 'is not', null)
    .orderBy('kind')
    .execute()
  expect(ended.map(({ kind }) => kind)).toEqual(['central', 'central', 'portal', 'portal'])
  expect(new Set(ended.map(({ end_reason }) => end_reason))).toEqual(new Set(['password']))
  await db.updateTable('person').set(before).where('id', '=', staff).execute()
})

test.each<[string, (member: Caller, operator: Caller) => Promise<{ status: number }>]>([
  ['the member', (member) => member(sessions.removeOthers)],
  [
    'an operator',
    (_, operator) => operator(memberSessions.removeAll, { body: { username: 'student' } }),
  ],
])('a sign-in in progress is cancelled when %s ends all sessions', async (_, endSessions) => {
  const [member, operator] = [await signIn(), await signIn('admin')]
  const setAgreement = (value: string) =>
    operator.call(settings.update, { params: { key: 'agreementVersion' }, body: { value } })
  expect((await setAgreement('2026-09')).status).toBe(200)
  const body = { username: 'student', password: demoPassword }
  const { data } = await app.visitor(identity.passwordLogin, { body })
  const state = 'due' in data ? data.state : ''
  expect((await endSessions(member.call, operator.call)).status).toBe(200)
  await setAgreement('')
  expect(await app.visitor(signInSteps.step, { body: { state } })).toMatchObject({
    status: 401,
    error: 'login.state_expired',
  })
})

test('the sessions of a sign-in are found by an index', async () => {
  const { call } = await signIn()
  const [own] = (await call(sessions.list)).data
  const id = own?.id ?? ''
  await app.platform.db.transaction().execute(async (db) => {
    // Enough rows for the planner to prefer an index.
    await sql`insert into session (kind, account_id, expires_at)
      select 'portal', account_id, expires_at from session, generate_series(1, 3000) where id = ${id}`.execute(
      db,
    )
    await sql`analyze session`.execute(db)
    const countScans = async () => {
      const { rows } = await sql<{ scans: number }>`
        select pg_stat_get_xact_numscans('session_sign_in'::regclass)::integer as scans`.execute(db)
      return rows[0]?.scans ?? 0
    }
    const before = await countScans()
    const personId = await findSignInPerson(db, id)
    expect(await countScans()).toBeGreaterThan(before)
    // Both the search for the sign-in and the update use it.
    const between = await countScans()
    expect(await endSignInOf(db, personId ?? '', id, 'member')).toHaveLength(2)
    expect(await countScans()).toBeGreaterThanOrEqual(between + 2)
  })
})

describe('operators', () => {
  test('list and end the sessions of a member', async () => {
    const member = await signIn('teacher')
    const operator = await signIn('admin')
    const query = { username: 'teacher' }
    const { data } = await operator.call(memberSessions.list, { query })
    expect(data).toMatchObject([{ username: 'teacher', current: false }])
    const params = { id: data[0]?.id ?? '' }
    expect((await operator.call(memberSessions.remove, { params })).status).toBe(200)
    expect((await member.call(personal.me)).status).toBe(401)
    expect((await operator.call(memberSessions.remove, { params })).status).toBe(404)
    const again = await signIn('teacher')
    const ended = await operator.call(memberSessions.removeAll, { body: query })
    expect(ended.data).toEqual({ ended: 2 })
    expect((await again.call(personal.me)).status).toBe(401)
    const unknown = await operator.call(memberSessions.list, { query: { username: 'nobody' } })
    expect(unknown).toMatchObject({ status: 404, error: 'session.member_not_found' })
  })

  test('of an organisation list and end sessions only of members entirely within it', async () => {
    const { db, topics } = app.platform
    const place = await db
      .selectFrom('organization')
      .select('id')
      .where('code', '=', 'CS')
      .executeTakeFirstOrThrow()
    const account = await findAccountByUsername(db, 'teacher')
    await insertGrants(db, account?.id ?? '', ['identity'], place.id)
    await topics.flushed()
    const operator = (await signIn('teacher')).call

    const inside = await signIn('student')
    const query = { username: 'student' }
    const { data } = await operator(memberSessions.list, { query })
    expect(data).toMatchObject([{ username: 'student' }])
    const params = { id: data[0]?.id ?? '' }
    expect((await operator(memberSessions.remove, { params })).status).toBe(200)
    expect((await inside.call(personal.me)).status).toBe(401)
    const again = await signIn('student')
    expect((await operator(memberSessions.removeAll, { body: query })).data).toEqual({ ended: 2 })
    expect((await again.call(personal.me)).status).toBe(401)

    // One belongs to another part; the other has a second account outside the operator's part.
    for (const username of ['admin', 'staff', '2023410086']) {
      const outside = await signIn(username)
      for (const answer of [
        await operator(memberSessions.list, { query: { username } }),
        await operator(memberSessions.removeAll, { body: { username } }),
      ])
        expect(answer).toMatchObject({ status: 404, error: 'session.member_not_found' })
      const [own] = (await outside.call(sessions.list)).data
      expect(
        await operator(memberSessions.remove, { params: { id: own?.id ?? '' } }),
      ).toMatchObject({ status: 404, error: 'session.not_found' })
      expect((await outside.call(personal.me)).status).toBe(200)
    }
    await deleteGrants(db, account?.id ?? '', ['identity'])
    await topics.flushed()
    expect((await operator(memberSessions.list, { query })).status).toBe(403)
  })

  test('are the only ones who may list or end sessions of others', async () => {
    const member = await signIn('teacher')
    const [own] = (await member.call(sessions.list)).data
    const query = { username: 'teacher' }
    for (const [caller, status] of [
      [member.call, 403],
      [app.visitor, 401],
    ] as const) {
      expect((await caller(memberSessions.list, { query })).status).toBe(status)
      expect((await caller(memberSessions.removeAll, { body: query })).status).toBe(status)
      const params = { id: own?.id ?? '' }
      expect((await caller(memberSessions.remove, { params })).status).toBe(status)
    }
    expect((await member.call(personal.me)).status).toBe(200)
  })
})

describe('the sign-in log', () => {
  test('lists own sign-ins, newest first, including failed ones', async () => {
    await app.platform.db.deleteFrom('authentication_log').execute()
    await app.visitor(identity.passwordLogin, { body: { username: 'student', password: 'wrong' } })
    await signIn('teacher')
    const here = await signIn()
    const { data } = await here.call(sessions.log)
    expect(data).toMatchObject({ total: 2, pageNo: 1, pageSize: 20 })
    expect(data.list).toMatchObject([
      { username: 'student', way: 'password', result: 'ok', address: '10.20.3.4' },
      { username: 'student', way: 'password', result: 'refused', address: '127.0.0.1' },
    ])
    const second = await here.call(sessions.log, { query: { pageNo: 2, pageSize: 1 } })
    expect(second.data).toMatchObject({ total: 2, pageNo: 2, list: [{ result: 'refused' }] })
    expect((await here.call(sessions.log, { query: { pageNo: 9 } })).data.list).toEqual([])
    expect((await here.call(sessions.log, { query: { pageNo: 0 } })).status).toBe(400)
    expect((await app.visitor(sessions.log)).status).toBe(401)
  })

  test('is deleted after its retention period, as are ended sessions', async () => {
    const { db } = app.platform
    const here = await signIn()
    await db
      .updateTable('authentication_log')
      .set({ happened_at: sql`now() - interval '191 days'` })
      .execute()
    await signIn('teacher')
    await clearAuthenticationLog(app.platform)
    expect((await here.call(sessions.log)).data.total).toBe(0)
    const { left } = await db
      .selectFrom('authentication_log')
      .select(sql<number>`count(*)::integer`.as('left'))
      .executeTakeFirstOrThrow()
    expect(left).toBe(1)

    await db
      .updateTable('session')
      .set({ revoked_at: sql`now() - interval '31 days'` })
      .where('account_id', '=', decodeJwt(here.token).ATTR_accountId as string)
      .execute()
    await deleteOldSessions(db)
    expect(await db.selectFrom('session').select('id').execute()).toHaveLength(2)
  })
})

describe('a new device', () => {
  const mails = () =>
    app.platform.db.selectFrom('outbox').select(['kind', 'recipient', 'subject', 'body']).execute()

  test('triggers one notice, except for the first device of a member', async () => {
    const first = await signIn()
    expect(await mails()).toEqual([])
    await signIn('student', { cookie: `DV-atrium=${first.device}` }, '203.0.113.1')
    expect(await mails()).toEqual([])
    const second = await signIn('student', { 'user-agent': iPhone }, '203.0.113.2')
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ kind: 'mail', subject: expect.stringContaining('student') })
    expect(mail?.body).toContain('203.0.113.2')
    expect(mail?.body).toContain('iPhone · iOS 17 · 微信 WeChat')
    await signIn('student', { cookie: `DV-atrium=${second.device}` })
    expect(await mails()).toHaveLength(1)
    const twice = { cookie: 'DV-atrium=abcdefghijklmnopqrstuv' }
    await Promise.all([signIn('student', twice), signIn('student', twice)])
    expect(await mails()).toHaveLength(2)
  })

  test('is recognised by X-Device-Info, and notified by SMS without a mail address', async () => {
    const { db } = app.platform
    const setEmail = (email: string) =>
      db
        .updateTable('person')
        .set({ email })
        .where(
          'id',
          '=',
          db.selectFrom('account').select('person_id').where('username', '=', 'teacher'),
        )
        .execute()
    await setEmail('')
    await signIn('teacher', { 'x-device-info': deviceInfo('one') })
    await signIn('teacher', { 'x-device-info': deviceInfo('one') })
    expect(await mails()).toEqual([])
    await Promise.all([
      signIn('teacher', { 'x-device-info': deviceInfo('two') }),
      signIn('teacher', { 'x-device-info': deviceInfo('two') }),
    ])
    expect(await mails()).toMatchObject([{ kind: 'sms', recipient: '13800000002' }])
    await setEmail('teacher@jianglan.example')
  })

  test('is assumed for an invalid device cookie', async () => {
    await signIn()
    for (const made of ['x', 'A'.repeat(500), '%00'])
      expect((await signIn('student', { cookie: `DV-atrium=${made}` })).device).toMatch(
        /^[\w-]{22}$/,
      )
    expect(await mails()).toHaveLength(3)
  })
})

describe('the day pack secret', () => {
  test('belongs to one session, stays constant, and is denied once it has ended', async () => {
    const [here, there] = [await signIn(), await signIn()]
    const first = (await here.call(sessions.dayPack)).data
    expect(first.secret).toMatch(/^[\w-]{32}$/)
    expect(Date.parse(first.until)).toBeGreaterThan(Date.now())
    expect((await here.call(sessions.dayPack)).data.secret).toBe(first.secret)
    expect((await there.call(sessions.dayPack)).data.secret).not.toBe(first.secret)
    await there.call(sessions.removeOthers)
    expect(await here.call(sessions.dayPack)).toMatchObject({ status: 401 })
  })
  test('is not returned without a session', async () => {
    expect(await app.visitor(sessions.dayPack)).toMatchObject({ status: 401 })
  })
})
