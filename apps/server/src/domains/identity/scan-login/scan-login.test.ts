import { scanLogin } from '@atrium/contract/identity/scan-login'
import { sessions } from '@atrium/contract/identity/sessions'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { updateSetting } from '#platform/settings/settings.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let student: Caller
let teacher: Caller

beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
})
beforeEach(() => sql`delete from scan_login`.execute(app.platform.db))
const setPolicy = async (value: string) => {
  await app.platform.db.transaction().execute((db) => updateSetting(db, 'scanLogin', value))
  await app.platform.topics.flushed()
}
afterEach(() => setPolicy('1'))

type Sent = { cookie?: string; site?: string; address?: string }
/** Sends a request as the computer's browser. */
async function send(endpoint: { path: string }, { cookie, site, address }: Sent = {}) {
  const answer = await (app.app as FastifyInstance).inject({
    method: 'POST',
    url: endpoint.path,
    ...(address && { remoteAddress: address }),
    headers: {
      'user-agent':
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      ...(cookie && { cookie: `SL-atrium=${cookie}` }),
      ...(site && { 'sec-fetch-site': site }),
    },
  })
  return {
    status: answer.statusCode,
    body: answer.json() as { data: Record<string, string>; error?: string },
    cookie: answer.cookies.find(({ name }) => name === 'SL-atrium'),
  }
}

/** A computer displaying a code. */
async function computer(address = '10.1.2.3') {
  const begun = await send(scanLogin.begin, { address })
  expect(begun.status).toBe(200)
  const { url = '', number } = begun.body.data
  const cookie = begun.cookie?.value ?? ''
  return {
    code: new URL(url).searchParams.get('code') ?? '',
    number,
    cookie,
    kept: begun.cookie,
    state: async () => (await send(scanLogin.state, { cookie })).body.data.state,
    finish: () => send(scanLogin.finish, { cookie }),
  }
}
const scan = (who: Caller, code: string) => who(scanLogin.read, { body: { code } })
const decide = (who: Caller, code: string, confirm = true) =>
  who(scanLogin.decide, { body: { code, confirm } })

test('the phone sees the computer’s details, confirms, and the computer signs in once', async () => {
  const { code, number, state, finish, kept } = await computer()
  expect(kept).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/token/scan' })
  expect(await state()).toBe('waiting')
  expect((await finish()).body.error).toBe('scan_login.over')
  expect((await scan(student, code)).data).toMatchObject({
    number,
    address: '10.1.2.3',
    sameNetwork: false,
    device: { kind: 'computer', program: 'Chrome' },
    proof: false,
  })
  expect(await state()).toBe('scanned')
  // Scanning alone does not confirm.
  expect((await finish()).body.error).toBe('scan_login.over')
  expect((await decide(student, code)).status).toBe(200)
  expect(await state()).toBe('confirmed')
  const before = (await student(sessions.list)).data.length
  const signedIn = await finish()
  expect(signedIn.status).toBe(200)
  const list = (await app.withToken(signedIn.body.data.idToken)(sessions.list)).data
  expect(list).toHaveLength(before + 1)
  expect(list.find(({ current }) => current)).toMatchObject({ way: 'scan', username: 'student' })
  // It works only once.
  expect((await finish()).body.error).toBe('scan_login.over')
  expect(await state()).toBe('over')
  expect((await scan(student, code)).error).toBe('scan_login.over')
})

test('a scan refused on the phone signs nobody in and cannot be confirmed later', async () => {
  const { code, state, finish } = await computer()
  await scan(student, code)
  expect((await decide(student, code, false)).status).toBe(200)
  expect(await state()).toBe('refused')
  expect((await decide(student, code)).error).toBe('scan_login.over')
  expect((await finish()).body.error).toBe('scan_login.over')
})

test('only the first member who scanned a code can decide on it', async () => {
  const { code, finish } = await computer()
  expect((await decide(student, code)).error).toBe('scan_login.over')
  expect((await scan(app.visitor, code)).status).toBe(401)
  expect((await decide(app.visitor, code)).status).toBe(401)
  expect((await scan(student, code)).status).toBe(200)
  expect((await scan(student, code)).status).toBe(200)
  expect(await scan(teacher, code)).toMatchObject({ status: 409, error: 'scan_login.taken' })
  expect((await decide(teacher, code)).error).toBe('scan_login.over')
  expect((await finish()).body.error).toBe('scan_login.over')
})

test('a code expires after two minutes, even if it was confirmed', async () => {
  const one = await computer()
  const other = await computer()
  await scan(student, other.code)
  await decide(student, other.code)
  expect(other.kept?.maxAge).toBe(120)
  const { rows } = await sql<{ seconds: number }>`
    select distinct extract(epoch from expires_at - created_at)::integer as seconds from scan_login`.execute(
    app.platform.db,
  )
  expect(rows).toEqual([{ seconds: 120 }])
  await sql`update scan_login set expires_at = now() - interval '1 second'`.execute(app.platform.db)
  expect((await scan(student, one.code)).error).toBe('scan_login.over')
  expect(await one.state()).toBe('over')
  expect(await other.finish()).toMatchObject({ body: { error: 'scan_login.over' } })
})

test('a confirmed code works only in its own browser, and not from another site', async () => {
  const mine = await computer()
  const theirs = await computer('10.9.9.9')
  await scan(student, mine.code)
  await decide(student, mine.code)
  expect((await theirs.finish()).body.error).toBe('scan_login.over')
  expect((await send(scanLogin.finish)).body.error).toBe('scan_login.over')
  expect((await send(scanLogin.finish, { cookie: mine.code })).body.error).toBe('scan_login.over')
  expect((await send(scanLogin.begin, { site: 'cross-site' })).body.error).toBe('session.forbidden')
  const forged = await send(scanLogin.finish, { cookie: mine.cookie, site: 'cross-site' })
  expect(forged.body.error).toBe('session.forbidden')
  // The forged request did not consume it.
  expect((await mine.finish()).status).toBe(200)
})

test('if configured, the phone needs a fresh confirmation, which counts as two factors', async () => {
  await setPolicy('2')
  const { code, finish } = await computer()
  expect((await scan(student, code)).data.proof).toBe(true)
  await sql`update session set confirmed_at = now() - interval '11 minutes'`.execute(
    app.platform.db,
  )
  expect(await decide(student, code)).toMatchObject({ error: 'session.confirmation_due' })
  expect((await finish()).body.error).toBe('scan_login.over')
  await sql`update session set confirmed_at = now()`.execute(app.platform.db)
  expect((await decide(student, code)).status).toBe(200)
  const token = (await finish()).body.data.idToken
  const own = (await app.withToken(token)(sessions.list)).data.find(({ current }) => current)
  expect(own?.strong).toBe(true)
})

test('scans are cancelled when the member ends all other sessions', async () => {
  const [confirmed, scanned] = [await computer(), await computer()]
  for (const { code } of [confirmed, scanned]) await scan(student, code)
  await decide(student, confirmed.code)
  expect((await student(sessions.removeOthers)).status).toBe(200)
  expect(await confirmed.state()).toBe('over')
  expect((await confirmed.finish()).body.error).toBe('scan_login.over')
  expect((await decide(student, scanned.code)).error).toBe('scan_login.over')
})

test('an IPv6 client is limited by its network, and the phone sees the exact address', async () => {
  for (let n = 1; n <= 60; n++) await computer(`2001:db8:0:7::${n.toString(16)}`)
  const another = await send(scanLogin.begin, { address: '2001:db8:0:7:ffff::1' })
  expect(another.body.error).toBe('request.too_many')
  const { code } = await computer('2001:db8:0:8::1')
  expect((await scan(student, code)).data.address).toBe('2001:db8:0:8::1')
})

test('scan login can be turned off, and an address is limited to sixty codes', async () => {
  for (let n = 0; n < 60; n++) await computer('10.7.7.7')
  expect((await send(scanLogin.begin, { address: '10.7.7.7' })).body.error).toBe('request.too_many')
  await computer('10.7.7.8')
  await setPolicy('0')
  expect((await send(scanLogin.begin)).body.error).toBe('login.way_off')
})
