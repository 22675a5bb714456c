import { identity, signInSteps } from '@atrium/contract/identity/identity'
import { centralLogin } from '@atrium/contract/sso/central-login'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { solvedCaptcha } from '../../../../test/captcha.ts'
import { demoPassword, type TestApp, testApp } from '../../../../test/test-app.ts'
import { hashingOf } from './password.ts'
import { countFailure, findThrottle } from './queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
beforeEach(async () => {
  await app.platform.db.deleteFrom('login_throttle').execute()
})

const attempt = (body: Record<string, unknown>) => app.visitor(identity.passwordLogin, { body })
const solve = () => solvedCaptcha(app.visitor)
const setFailures = (key: string, failures: number) =>
  app.platform.db
    .insertInto('login_throttle')
    .values({ key, failures, blocked_until: new Date(0).toISOString() })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ failures }))
    .execute()

describe('password guessing', () => {
  test.each(['admin', 'no-such-account'])(
    'needs a captcha after three failures, for existing and unknown names: %s',
    async (username) => {
      for (let n = 0; n < 3; n++)
        expect((await attempt({ username, password: 'wrong' })).error).toBe('login.refused')
      const due = await attempt({ username, password: demoPassword })
      expect(due).toMatchObject({ status: 403, error: 'login.captcha_due' })
      const tried = await attempt({ username, password: 'wrong', captcha: await solve() })
      expect(tried.error).toBe('login.refused')
    },
  )

  test.each(['admin', 'no-such-account'])(
    'is delayed twice as long after each failure, even with the correct password: %s',
    async (username) => {
      const waits: number[] = []
      for (const failures of [4, 5, 8, 20]) {
        await setFailures(`account:${username}`, failures)
        await app.platform.db
          .updateTable('login_throttle')
          .set({ blocked_until: new Date(0).toISOString() })
          .execute()
        await attempt({ username, password: 'wrong', captcha: await solve() })
        const row = await app.platform.db
          .selectFrom('login_throttle')
          .select(['blocked_until', 'updated_at'])
          .where('key', '=', `account:${username}`)
          .executeTakeFirstOrThrow()
        waits.push(Math.round((Date.parse(row.blocked_until) - Date.parse(row.updated_at)) / 1000))
      }
      expect(waits).toEqual([1, 2, 16, 900])
      const blocked = await attempt({ username, password: demoPassword, captcha: await solve() })
      expect(blocked).toMatchObject({ status: 429, error: 'login.too_many' })
      expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(800)
    },
  )

  test('a failure counted during another attempt does not delay that attempt', async () => {
    const key = 'account:counted-meanwhile'
    await app.platform.db.transaction().execute(async (db) => {
      // The transaction starts before the other one writes.
      await sql`select now()`.execute(db)
      await countFailure(app.platform.db, key, { free: 5, maxSeconds: 900 })
      const { failures, blockedSeconds } = await findThrottle(db, [key])
      expect([failures.get(key), blockedSeconds]).toEqual([1, 0])
    })
  })

  test('concurrent attempts get no more password checks than sequential ones', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        attempt({ username: 'staff', password: n === 29 ? demoPassword : `guess-${n}` }),
      ),
    )
    const refused = answers.filter((answer) => answer.error === 'login.refused')
    // Plus those being hashed when the third failure is recorded.
    expect(refused.length).toBeLessThanOrEqual(3 + 2)
    expect(answers.at(-1)?.status).toBe(403)
  })

  test('spraying many names from one address needs a captcha, then is delayed', async () => {
    await setFailures('address:127.0.0.1', 29)
    expect((await app.visitor(identity.configs)).data.captchaDue).toBe(false)
    expect((await attempt({ username: 'sprayed-1', password: 'wrong' })).error).toBe(
      'login.refused',
    )
    expect((await app.visitor(identity.configs)).data.captchaDue).toBe(true)
    expect((await attempt({ username: 'sprayed-2', password: 'wrong' })).error).toBe(
      'login.captcha_due',
    )
    await setFailures('address:127.0.0.1', 320)
    await attempt({ username: 'sprayed-3', password: 'wrong', captcha: await solve() })
    const blocked = await attempt({ username: 'sprayed-4', password: 'wrong' })
    expect(blocked.error).toBe('login.too_many')
    // A campus may share one address, so it is blocked only briefly.
    expect(Number(blocked.headers['retry-after'])).toBeLessThanOrEqual(30)
  })

  test('addresses of one IPv6 /64 network are counted as one address', async () => {
    const captchaDue = async (remoteAddress: string) =>
      (await app.app.inject({ url: identity.configs.path, remoteAddress })).json().data.captchaDue
    await setFailures('address:2001:db8:0:7::/64', 29)
    await app.app.inject({
      method: 'POST',
      url: identity.passwordLogin.path,
      payload: { username: 'sprayed-5', password: 'wrong' },
      remoteAddress: '2001:db8:0:7::1',
    })
    expect(await captchaDue('2001:db8:0:7:ffff::2')).toBe(true)
    expect(await captchaDue('2001:db8:0:8::1')).toBe(false)
  })

  test('a successful sign-in resets the failure count of the account', async () => {
    await setFailures('account:student', 2)
    expect((await attempt({ username: 'student', password: demoPassword })).status).toBe(200)
    for (let n = 0; n < 2; n++) await attempt({ username: 'student', password: 'wrong' })
    expect((await attempt({ username: 'student', password: demoPassword })).status).toBe(200)
  })

  test.each<[string, string, { status?: string; password_hash?: null }]>([
    ['an active account', 'student', {}],
    ['an unknown name', 'nobody-of-this-name', {}],
    ['a disabled account', 'staff', { status: 'disabled' }],
    ['an inactive account', 'staff', { status: 'inactive' }],
    ['an account without a password', 'staff', { password_hash: null }],
  ])('hashes once and answers the same for %s', async (_, username, { status, password_hash }) => {
    const { db } = app.platform
    const account = db.selectFrom('account').where('username', '=', 'staff')
    const before = await account
      .innerJoin('person', 'person.id', 'account.person_id')
      .select(['account.status', 'person.id', 'person.password_hash'])
      .executeTakeFirstOrThrow()
    const setStatus = (value: string) =>
      db.updateTable('account').set({ status: value }).where('username', '=', 'staff').execute()
    const setHash = (hash: string | null) =>
      db.updateTable('person').set({ password_hash: hash }).where('id', '=', before.id).execute()
    if (status) await setStatus(status)
    if (password_hash === null) await setHash(null)
    const matches = vi.spyOn(hashingOf(app.platform), 'matches')
    try {
      const answer = await attempt({ username, password: 'wrong' })
      expect(matches).toHaveBeenCalledTimes(1)
      expect(answer).toMatchObject({ status: 401, error: 'login.refused' })
      expect(JSON.parse(answer.raw).message).toBe('账号或密码不正确')
    } finally {
      matches.mockRestore()
      await setStatus(before.status)
      await setHash(before.password_hash)
    }
  })
})

describe('a solved captcha', () => {
  beforeEach(() => setFailures('account:teacher', 3))
  const withCaptcha = (captcha: string) =>
    attempt({ username: 'teacher', password: demoPassword, captcha })

  test('is valid for one attempt, even when submitted concurrently', async () => {
    const captcha = await solve()
    // Wrong passwords: a successful sign-in would end the need for a captcha before the other attempt is checked.
    const wrong = { username: 'teacher', password: 'wrong', captcha }
    const [, ...taken] = await Promise.all([
      attempt({ username: 'no-such-1', password: 'wrong', captcha }),
      attempt(wrong),
      attempt(wrong),
    ])
    expect(taken.map(({ error }) => error).sort()).toEqual(['login.captcha_due', 'login.refused'])
    await setFailures('account:teacher', 3)
    expect((await withCaptcha(captcha)).error).toBe('login.captcha_due')
  })

  test('is rejected when forged, guessed, extended or malformed', async () => {
    const solved = JSON.parse(Buffer.from(await solve(), 'base64').toString())
    const pack = (change: object) =>
      Buffer.from(JSON.stringify({ ...solved, ...change })).toString('base64')
    for (const bad of [
      pack({ number: solved.number + 1 }),
      pack({ salt: solved.salt.replace(/expires=\d/, 'expires=9') }),
      pack({ signature: 'x'.repeat(32) }),
      pack({ salt: `${solved.salt}1`, number: 1 }),
      pack({ challenge: '' }),
      Buffer.from('null').toString('base64'),
      '{}',
      'x',
      '\u0000',
    ])
      expect({ bad, error: (await withCaptcha(bad)).error }).toEqual({
        bad,
        error: 'login.captcha_due',
      })
    expect((await withCaptcha(pack({}))).status).toBe(200)
  })

  test('is rejected once expired', async () => {
    const captcha = await solve()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
    try {
      expect((await withCaptcha(captcha)).error).toBe('login.captcha_due')
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('hostile input', () => {
  test.each([
    { username: 'a'.repeat(101), password: 'x' },
    { username: 'student', password: 'x'.repeat(201) },
    { username: 'student', password: '' },
    { username: '', password: 'x' },
    { username: 'student\u0000', password: demoPassword },
    { username: { $ne: '' }, password: 'x' },
    { username: 'student', password: demoPassword, mfaState: 'x'.repeat(500) },
    { username: 'student', password: demoPassword, captcha: 'x'.repeat(2000) },
  ])('is rejected with a 4xx status: $username', async (body) => {
    const answer = await attempt(body)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  })

  test('a NUL character in the password counts as a wrong password', async () => {
    expect((await attempt({ username: 'student', password: 'x\u0000' })).error).toBe(
      'login.refused',
    )
  })
})

test('a hash with outdated parameters is replaced at the next successful sign-in', async () => {
  const { db } = app.platform
  const { hash } = await import('@node-rs/argon2')
  const weak = await hash(demoPassword, { algorithm: 2, memoryCost: 8192, timeCost: 1 })
  const student = db
    .selectFrom('person')
    .innerJoin('account', 'account.person_id', 'person.id')
    .where('account.username', '=', 'student')
  await db
    .updateTable('person')
    .set({ password_hash: weak })
    .where('id', '=', student.select('person.id'))
    .execute()
  const read = async () =>
    (await student.select('person.password_hash').executeTakeFirstOrThrow()).password_hash
  expect((await attempt({ username: 'student', password: 'wrong' })).status).toBe(401)
  expect(await read()).toBe(weak)
  expect((await attempt({ username: 'student', password: demoPassword })).status).toBe(200)
  expect(await read()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect((await attempt({ username: 'student', password: demoPassword })).status).toBe(200)
})

test('the central login form redirects to the portal’s login page when a captcha is due', async () => {
  await setFailures('account:student', 3)
  const service = `${app.platform.origin()}/page/index/index`
  const page = await app.app.inject({ url: centralLogin.show.path, query: { service } })
  const posted = await app.app.inject({
    method: 'POST',
    url: centralLogin.submit.path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: page.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    },
    payload: new URLSearchParams({
      lt: /name="lt" value="([^"]+)"/.exec(page.body)?.[1] ?? '',
      service,
      username: 'student',
      password: demoPassword,
    }).toString(),
  })
  expect(posted.statusCode).toBe(303)
  const target = new URL(String(posted.headers.location), app.platform.origin())
  expect(target.pathname).toBe('/pages/login/login')
  expect(new URLSearchParams(target.hash.slice(1)).get('onwards')).toContain('/cas/login?service=')
  expect(posted.headers['set-cookie']?.toString() ?? '').not.toContain('TGC')
})

describe('a request from another site', () => {
  const { path } = identity.passwordLogin
  const credentials = new URLSearchParams({ username: 'student', password: demoPassword })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ] as Record<string, string>[])(
    'cannot sign a browser in with credentials of its choice: %j',
    async (headers) => {
      for (const request of [
        { url: path, payload: credentials.toString(), headers: { ...form, ...headers } },
        { url: `${path}?${credentials}`, headers },
      ]) {
        const answer = await app.app.inject({ method: 'POST', ...request })
        expect(answer.statusCode).toBe(403)
        expect(answer.json().error).toBe('session.forbidden')
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
    },
  )

  test('cannot continue a sign-in or redeem a ticket', async () => {
    const headers = { ...form, 'sec-fetch-site': 'cross-site' }
    for (const [{ path }, fields] of [
      [signInSteps.step, { state: 'x' }],
      [identity.redeemTicket, { ticket: 'x', service: app.platform.origin() }],
    ] as const) {
      const payload = new URLSearchParams(fields).toString()
      const answer = await app.app.inject({ method: 'POST', url: path, payload, headers })
      expect(answer.json().error).toBe('session.forbidden')
    }
  })

  test('is told apart from a program and a same-origin page, which are accepted', async () => {
    for (const headers of [{}, { 'sec-fetch-site': 'same-origin', origin: app.platform.origin() }])
      expect(
        (await app.app.inject({ method: 'POST', url: `${path}?${credentials}`, headers }))
          .statusCode,
      ).toBe(200)
  })
})
