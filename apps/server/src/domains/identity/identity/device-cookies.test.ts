import { account } from '@atrium/contract/identity/account'
import { identity } from '@atrium/contract/identity/identity'
import { passwordless } from '@atrium/contract/identity/passwordless'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { solvedCaptcha } from '../../../../test/captcha.ts'
import { demoPassword, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let device = ''
const member = 'student'

type Sent = { cookie?: string; captcha?: string; address?: string; idToken?: string }
/** Sends one request as a browser. */
async function post(
  url: string,
  payload: object,
  { cookie, captcha, address, idToken }: Sent = {},
) {
  const answer = await app.app.inject({
    method: 'POST',
    url,
    payload: { ...payload, ...(captcha && { captcha }) },
    headers: {
      ...(cookie && { cookie: `DV-atrium=${cookie}` }),
      ...(idToken && { 'x-id-token': idToken }),
    },
    ...(address && { remoteAddress: address }),
  })
  const { error, data } = answer.json()
  return {
    status: answer.statusCode,
    error,
    data,
    device: answer.cookies.find(({ name }) => name === 'DV-atrium')?.value ?? '',
    seconds: Number(answer.headers['retry-after'] ?? 0),
  }
}
const signIn = (username: string, password: string, sent: Sent = {}) =>
  post(identity.passwordLogin.path, { username, password }, sent)
const solve = () => solvedCaptcha(app.visitor)

/** Simulates a hundred failed attempts by strangers, and checks that they are blocked. */
async function besiege(username: string) {
  await app.platform.db
    .insertInto('login_throttle')
    .values({ key: `account:${username}`, failures: 97, blocked_until: new Date(0).toISOString() })
    .execute()
  for (let n = 0; n < 3; n++) {
    await signIn(username, 'wrong', { address: `192.0.2.${n}`, captcha: await solve() })
    await app.platform.db
      .updateTable('login_throttle')
      .set({
        blocked_until: sql<string>`case when failures >= 100 then blocked_until else now() end`,
      })
      .execute()
  }
  const refused = await signIn(username, demoPassword, { captcha: await solve() })
  expect(refused).toMatchObject({ status: 429, error: 'login.too_many' })
}

beforeAll(async () => {
  app = await testApp()
  device = (await signIn(member, demoPassword)).device
})
beforeEach(async () => {
  await app.platform.db.deleteFrom('login_throttle').execute()
  await app.platform.db.deleteFrom('code_request').execute()
})

describe('after a hundred failed attempts by strangers', () => {
  beforeEach(() => besiege(member))

  test('the member signs in on a known device without a captcha', async () => {
    expect((await signIn(member, demoPassword, { cookie: device })).status).toBe(200)
    // Strangers are still blocked.
    expect((await signIn(member, demoPassword, { captcha: await solve() })).status).toBe(429)
  })

  test('the member signs in at the central login on a known device', async () => {
    const page = await app.app.inject({ url: '/cas/login' })
    const form = page.cookies.find(({ name }) => name === 'LT-atrium')?.value ?? ''
    const lt = /name="lt" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    const answer = await app.app.inject({
      method: 'POST',
      url: '/cas/login',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: `LT-atrium=${form}; DV-atrium=${device}`,
      },
      payload: new URLSearchParams({ username: member, password: demoPassword, lt }).toString(),
    })
    expect({ status: answer.statusCode, to: answer.headers.location }).toEqual({
      status: 303,
      to: '/cas/login',
    })
  })

  test('a signed-in member confirms their identity without a device cookie', async () => {
    const signedIn = await signIn(member, demoPassword, { cookie: device })
    const confirmed = await post(
      account.confirm.path,
      { password: demoPassword },
      { idToken: signedIn.data.idToken },
    )
    expect(confirmed).toMatchObject({ status: 200 })
  })

  test.each<[string, () => Promise<string>]>([
    ['made up', async () => 'A'.repeat(22)],
    ['another member’s', async () => (await signIn('teacher', demoPassword)).device],
    [
      'changed in one character',
      async () => `${device.slice(0, -1)}${device.endsWith('A') ? 'Q' : 'A'}`,
    ],
    ['of the wrong length', async () => `${device}${device}`],
    [
      'the stored hash',
      async () =>
        (
          await app.platform.db
            .selectFrom('known_device')
            .select('key_hash')
            .executeTakeFirstOrThrow()
        ).key_hash,
    ],
  ])('a device cookie that is %s does not lift the block', async (_, cookie) => {
    const answer = await signIn(member, demoPassword, {
      cookie: await cookie(),
      captcha: await solve(),
    })
    expect(answer).toMatchObject({ status: 429, error: 'login.too_many' })
  })

  test('a device cookie unused for 401 days does not lift the block', async () => {
    const { db } = app.platform
    await sql`update known_device set last_seen_at = last_seen_at - interval '401 days'`.execute(db)
    const answer = await signIn(member, demoPassword, { cookie: device, captcha: await solve() })
    await sql`update known_device set last_seen_at = last_seen_at + interval '401 days'`.execute(db)
    expect(answer.status).toBe(429)
  })
})

describe('a known device', () => {
  test('is throttled like an unknown one: a captcha after three failures, then delays', async () => {
    for (let n = 0; n < 3; n++)
      expect((await signIn(member, 'wrong', { cookie: device })).error).toBe('login.refused')
    expect((await signIn(member, 'wrong', { cookie: device })).error).toBe('login.captcha_due')
    await app.platform.db
      .updateTable('login_throttle')
      .set({ failures: 30, blocked_until: new Date(0).toISOString() })
      .execute()
    const sent = { cookie: device, captcha: await solve() }
    expect((await signIn(member, 'wrong', sent)).error).toBe('login.refused')
    const waits = await signIn(member, demoPassword, { ...sent, captcha: await solve() })
    expect(waits).toMatchObject({ status: 429, error: 'login.too_many' })
    expect(waits.seconds).toBeGreaterThan(800)
  })

  test('gets no additional password checks from concurrent attempts', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => signIn(member, `guess-${n}`, { cookie: device })),
    )
    const refused = answers.filter(({ error }) => error === 'login.refused')
    expect(refused.length).toBeLessThanOrEqual(3 + 2)
  })

  test('that fails delays no other browser of this or another member', async () => {
    for (let n = 0; n < 3; n++) await signIn(member, 'wrong', { cookie: device })
    const failed = await app.platform.db
      .updateTable('login_throttle')
      .set({ failures: 30, blocked_until: sql<string>`now() + interval '10 minutes'` })
      .returning('key')
      .execute()
    expect(failed.map(({ key }) => key)).toEqual([expect.stringMatching(/^known:/)])
    expect((await signIn(member, demoPassword, { cookie: device })).error).toBe('login.too_many')
    for (const username of [member, 'teacher'])
      expect((await signIn(username, demoPassword)).status).toBe(200)
  })

  test('resets only its own failure count when the member signs in', async () => {
    await besiege(member)
    await signIn(member, 'wrong', { cookie: device })
    await signIn(member, demoPassword, { cookie: device })
    const left = await app.platform.db.selectFrom('login_throttle').select('key').execute()
    expect(left.map(({ key }) => key)).toContain(`account:${member}`)
    expect(left.filter(({ key }) => key.startsWith('known:'))).toEqual([])
  })
})

test('SMS codes requested by strangers do not block a known device of the owner', async () => {
  const number = '13800000001'
  const ask = async (sent: Sent) => {
    const { data } = await app.visitor(passwordless.smsInit)
    return post(passwordless.smsSend.path, { nonce: data.nonce, mobile: number }, sent)
  }
  expect((await ask({ address: '192.0.2.1' })).status).toBe(200)
  expect((await ask({ address: '192.0.2.2' })).error).toBe('code.too_many')
  expect((await ask({ cookie: device })).status).toBe(200)
  // The minute between two codes applies to every device.
  expect((await ask({ cookie: device })).error).toBe('code.too_many')
  expect((await ask({ cookie: 'B'.repeat(22), address: '192.0.2.3' })).error).toBe('code.too_many')
})
