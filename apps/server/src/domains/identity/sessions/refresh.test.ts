import { identity, signInSteps } from '@atrium/contract/identity/identity'
import { sessions } from '@atrium/contract/identity/sessions'
import { personal } from '@atrium/contract/member/personal'
import { centralLogin } from '@atrium/contract/sso/central-login'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { updateSetting } from '#platform/settings/settings.ts'
import { demoPassword, openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { mayBeForged } from './rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

/** Signs in as a browser and returns its cookies. @param refreshCookie the browser's current refresh cookie */
async function signIn(username = 'student', refreshCookie?: string) {
  const answer = await app.app.inject({
    method: 'POST',
    url: identity.passwordLogin.path,
    payload: { username, password: demoPassword },
    headers: refreshCookie === undefined ? {} : { cookie: `RF-atrium=${refreshCookie}` },
  })
  const cookies = new Map(answer.cookies.map(({ name, value }) => [name, value]))
  return { token: answer.json().data.idToken as string, cookie: cookies.get('RF-atrium') ?? '' }
}

async function refresh(cookie: string, headers: Record<string, string> = {}, node = app.app) {
  const answer = await node.inject({
    method: 'POST',
    url: sessions.refresh.path,
    headers: { cookie: `RF-atrium=${cookie}`, 'sec-fetch-site': 'same-origin', ...headers },
  })
  const set = answer.cookies.find(({ name }) => name === 'RF-atrium')
  return {
    status: answer.statusCode,
    token: answer.json().data?.idToken as string | undefined,
    cookie: set?.value,
    set,
  }
}
const sessionOf = (token: string) => String(decodeJwt(token).jti).split('.')[0] ?? ''
const status = async (token: string | undefined) => (await app.withToken(token)(personal.me)).status
const age = (cookie: string, seconds: number) =>
  app.platform.db
    .updateTable('refresh_token')
    .set({ rotated_at: sql`now() - make_interval(secs => ${seconds})` })
    .where('session_id', '=', cookie.split('.')[0] ?? '')
    .where('rotated_at', 'is not', null)
    .execute()

describe('the refresh cookie', () => {
  test('is HttpOnly, Strict and limited to /token, and renews the same session', async () => {
    const { token, cookie } = await signIn()
    const { set, ...next } = await refresh(cookie)
    expect(set).toMatchObject({
      httpOnly: true,
      sameSite: 'Strict',
      path: '/token',
      maxAge: expect.any(Number),
    })
    // At most 90 days, as its session; at most 14 of them unused.
    expect(set?.maxAge).toBeGreaterThan(90 * 86_400 - 600)
    expect(set?.maxAge).toBeLessThanOrEqual(90 * 86_400)
    const session = await app.platform.db
      .selectFrom('session')
      .select([
        'idle_days',
        sql<number>`extract(epoch from expires_at - created_at)::integer / 86400`.as('days'),
      ])
      .where('id', '=', sessionOf(token))
      .executeTakeFirstOrThrow()
    expect(session).toEqual({ idle_days: 14, days: 90 })
    expect(next.status).toBe(200)
    expect(next.cookie).not.toBe(cookie)
    expect(sessionOf(next.token ?? '')).toBe(sessionOf(token))
    expect(decodeJwt(next.token ?? '').sub).toBe('student')
    expect(await status(next.token)).toBe(200)
    expect(await status(token)).toBe(200)
  })

  test('is stored only as a hash', async () => {
    const { cookie } = await signIn()
    const rows = await app.platform.db.selectFrom('refresh_token').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(cookie.split('.')[1])
  })

  test('returns a token with current member data', async () => {
    const { cookie } = await signIn('staff')
    const { db } = app.platform
    const whose = db.selectFrom('account').select('person_id').where('username', '=', 'staff')
    const before = await db
      .updateTable('person')
      .set({ name: '陈新名' })
      .where('id', '=', whose)
      .returning('id')
      .executeTakeFirstOrThrow()
    const { token } = await refresh(cookie)
    expect(decodeJwt(token ?? '').ATTR_userName).toBe('陈新名')
    await db.updateTable('person').set({ name: '陈思齐' }).where('id', '=', before.id).execute()
  })

  test('is accepted from several tabs within ten seconds', async () => {
    const { cookie } = await signIn()
    const answers = await Promise.all([refresh(cookie), refresh(cookie), refresh(cookie)])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    await age(cookie, 5)
    answers.push(await refresh(cookie))
    expect(new Set(answers.map((answer) => answer.cookie)).size).toBe(4)
    for (const { cookie } of answers) expect((await refresh(cookie ?? '')).status).toBe(200)
  })

  test('ends its portal and central session when reused', async () => {
    const { token, cookie } = await signIn()
    const next = await refresh(cookie)
    await age(cookie, 11)
    const replayed = await refresh(cookie)
    expect(replayed).toMatchObject({ status: 401, cookie: '' })
    expect((await refresh(next.cookie ?? '')).status).toBe(401)
    expect(await status(token)).toBe(401)
    expect(await status(next.token)).toBe(401)
    const ended = await app.platform.db
      .selectFrom('session')
      .select(['kind', 'end_reason'])
      .where(
        sql<boolean>`${sessionOf(token)}::uuid in (id, (select p.id from session p where p.central_session_id = session.id))`,
      )
      .orderBy('kind')
      .execute()
    expect(ended).toEqual([
      { kind: 'central', end_reason: 'reuse' },
      { kind: 'portal', end_reason: 'reuse' },
    ])
  })

  test('is recognised as reused even after its record was deleted', async () => {
    const { token, cookie } = await signIn()
    await refresh(cookie)
    await app.platform.db
      .deleteFrom('refresh_token')
      .where('session_id', '=', sessionOf(token))
      .where('rotated_at', 'is not', null)
      .execute()
    expect((await refresh(cookie)).status).toBe(401)
    expect(await status(token)).toBe(401)
  })

  test('is rejected when forged for another session, and ends nothing', async () => {
    const { token, cookie } = await signIn()
    const [session, secret, signature = ''] = cookie.split('.')
    const other = await signIn('teacher')
    for (const forged of [
      `${session}.${'A'.repeat(43)}.${'A'.repeat(32)}`,
      `${session}.${secret}.${'A'.repeat(32)}`,
      `${sessionOf(other.token)}.${secret}.${signature}`,
      `${session}.${secret}`,
      'x'.repeat(5000),
      '%00',
      '',
    ])
      expect((await refresh(forged)).status).toBe(401)
    expect(await status(token)).toBe(200)
    expect(await status(other.token)).toBe(200)
  })

  test('is rejected after logout, inactivity, expiry or disabling of the account', async () => {
    const { db } = app.platform
    const out = await signIn()
    const answer = await app.withToken(out.token)(identity.logout)
    expect(String(answer.headers['set-cookie'])).toMatch(/RF-atrium=;.*Path=\/token;/)
    expect((await refresh(out.cookie)).status).toBe(401)

    const idle = await signIn()
    await db
      .updateTable('session')
      .set({ last_seen_at: sql`now() - interval '15 days'` })
      .where('id', '=', sessionOf(idle.token))
      .execute()
    expect((await refresh(idle.cookie)).status).toBe(401)
    expect(await status(idle.token)).toBe(401)

    const late = await signIn()
    await db
      .updateTable('session')
      .set({ expires_at: sql`now() - interval '1 second'` })
      .where('id', '=', sessionOf(late.token))
      .execute()
    expect((await refresh(late.cookie)).status).toBe(401)

    const disabled = await signIn('staff')
    const setStatus = (status: 'active' | 'disabled') =>
      db.updateTable('account').set({ status }).where('username', '=', 'staff').execute()
    await setStatus('disabled')
    expect((await refresh(disabled.cookie)).status).toBe(401)
    await setStatus('active')
  })

  test('resets the inactivity timeout, but never extends the absolute expiry', async () => {
    const { token, cookie } = await signIn()
    const { db } = app.platform
    await db
      .updateTable('session')
      .set({
        last_seen_at: sql`now() - interval '13 days'`,
        expires_at: sql`now() + interval '1 hour'`,
      })
      .where('id', '=', sessionOf(token))
      .execute()
    const next = await refresh(cookie)
    expect(next.status).toBe(200)
    expect(next.set?.maxAge).toBeLessThanOrEqual(3600)
    const { seen } = await db
      .selectFrom('session')
      .select(sql<boolean>`last_seen_at > now() - interval '1 minute'`.as('seen'))
      .where('id', '=', sessionOf(token))
      .executeTakeFirstOrThrow()
    expect(seen).toBe(true)
  })

  test('works on every node, and reuse on one node ends the session on the others', async () => {
    const { cookie } = await signIn()
    const other = await openNode(app.url)
    const next = await refresh(cookie, {}, other.app)
    expect(next.status).toBe(200)
    expect(await status(next.token)).toBe(200)
    await age(cookie, 11)
    expect((await refresh(cookie, {}, other.app)).status).toBe(401)
    await expect.poll(() => status(next.token), { timeout: 1000 }).toBe(401)
    await other.app.close()
    await other.platform.close()
  })

  test('is rejected from other sites', async () => {
    const { token, cookie } = await signIn()
    const origin = app.platform.origin()
    const hostile: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'text/plain' },
    ]
    for (const headers of hostile)
      expect((await refresh(cookie, headers)).status).toBeGreaterThanOrEqual(403)
    const got = await app.app.inject({
      url: sessions.refresh.path,
      headers: { cookie: `RF-atrium=${cookie}` },
    })
    expect(got.statusCode).toBe(404)
    expect((await refresh(cookie, { origin })).status).toBe(200)
    expect(await status(token)).toBe(200)
  })

  test.each([
    [{ fetchSite: 'same-origin', origin: 'https://evil.example' }, false],
    [{ fetchSite: 'cross-site', origin: 'https://portal.example' }, true],
    [{ origin: 'https://portal.example' }, false],
    [{ origin: 'https://evil.example' }, true],
    [{ origin: 'https://portal.example.evil.example' }, true],
    [{ origin: 'null' }, true],
    [{ origin: 'http://192.168.1.5:8080', host: '192.168.1.5:8080' }, false],
    [{ origin: 'http://192.168.1.6:8080', host: '192.168.1.5:8080' }, true],
    [{}, false],
    [{ contentType: 'application/json' }, false],
    [{ contentType: 'application/json; charset=utf-8', fetchSite: 'same-origin' }, false],
    [{ contentType: 'application/jsonp', fetchSite: 'same-origin' }, true],
    [{ contentType: 'multipart/form-data', fetchSite: 'same-origin' }, true],
  ])('a request with %j may be forged: %s', (sender, forged) => {
    const whole = {
      fetchSite: undefined,
      origin: undefined,
      host: undefined,
      contentType: undefined,
    }
    const own = (origin: string) => origin === 'https://portal.example'
    expect(mayBeForged({ ...whole, ...sender }, own)).toBe(forged)
  })
})

describe('a sign-in in a browser with an existing session', () => {
  const post = (url: string, payload: object, cookie: string, token?: string) =>
    app.app.inject({
      method: 'POST',
      url,
      payload,
      headers: { cookie: `RF-atrium=${cookie}`, ...(token && { 'x-id-token': token }) },
    })
  const centralOf = async (token: string) =>
    (
      await app.platform.db
        .selectFrom('session')
        .select('central_session_id as id')
        .where('id', '=', sessionOf(token))
        .executeTakeFirstOrThrow()
    ).id ?? ''
  const ends = async (...ids: string[]) =>
    (
      await app.platform.db
        .selectFrom('session')
        .select('end_reason')
        .where('id', 'in', ids)
        .execute()
    ).map(({ end_reason }) => end_reason)

  test('ends the previous and its central session, but no session of other browsers', async () => {
    const elsewhere = await signIn()
    const previous = await signIn()
    const next = await signIn('student', previous.cookie)
    expect(await status(previous.token)).toBe(401)
    expect((await refresh(previous.cookie)).status).toBe(401)
    expect(await ends(sessionOf(previous.token), await centralOf(previous.token))).toEqual([
      'switch',
      'switch',
    ])
    const other = await signIn('teacher', next.cookie)
    expect(await status(next.token)).toBe(401)
    expect(await status(other.token)).toBe(200)
    expect((await refresh(other.cookie)).status).toBe(200)
    expect(await status(elsewhere.token)).toBe(200)
  })

  test('ends the previous session with a rotated cookie, but not with a forged one', async () => {
    const previous = await signIn()
    await refresh(previous.cookie)
    const [session, secret] = previous.cookie.split('.')
    for (const forged of [`${session}.${secret}.${'A'.repeat(32)}`, 'x', ''])
      await signIn('teacher', forged)
    expect(await status(previous.token)).toBe(200)
    await signIn('teacher', previous.cookie)
    expect(await status(previous.token)).toBe(401)
  })

  test('ends no session while it is rejected or incomplete', async () => {
    const previous = await signIn()
    await post(
      identity.passwordLogin.path,
      { username: 'teacher', password: 'wrong' },
      previous.cookie,
    )
    const setVersion = async (value: string) => {
      await updateSetting(app.platform.db, 'agreementVersion', value)
      await app.platform.topics.flushed()
    }
    await setVersion('2026-11')
    const begun = await post(
      identity.passwordLogin.path,
      { username: 'teacher', password: demoPassword },
      previous.cookie,
    )
    expect(begun.json().data.due).toBe('agreement')
    expect(await status(previous.token)).toBe(200)
    const done = await post(
      signInSteps.agreement.path,
      { state: begun.json().data.state, version: '2026-11' },
      previous.cookie,
    )
    expect(await status(done.json().data.idToken)).toBe(200)
    expect(await status(previous.token)).toBe(401)
    await setVersion('')
  })

  test('as another account of the same person keeps only the new session', async () => {
    const previous = await signIn('staff')
    const { data } = await app.withToken(previous.token)(signInSteps.accounts)
    const other = data.accounts.find(({ current }) => !current)
    const chosen = await post(
      signInSteps.accountChoose.path,
      { accountId: other?.accountId, cid: data.cid },
      previous.cookie,
      previous.token,
    )
    expect(await status(chosen.json().data.idToken)).toBe(200)
    expect(await status(previous.token)).toBe(401)
  })

  test('in two tabs at once leaves both with a valid session', async () => {
    const previous = await signIn()
    const tabs = await Promise.all([
      signIn('student', previous.cookie),
      signIn('student', previous.cookie),
    ])
    expect(await status(previous.token)).toBe(401)
    for (const { token, cookie } of tabs) {
      expect(await status(token)).toBe(200)
      expect((await refresh(cookie)).status).toBe(200)
    }
  })
})

test('the central login sets a refresh cookie, and a second ticket replaces the session', async () => {
  const service = `${app.platform.origin()}/page/index/index?returnTarget=true`
  const page = await app.app.inject({ url: centralLogin.show.path, query: { service } })
  const lt = /name="lt" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  const cookies = new Map<string, string>()
  const keep = (answer: { cookies: { name: string; value: string }[] }) => {
    for (const { name, value } of answer.cookies) cookies.set(name, value)
  }
  const cookie = () => [...cookies].map((pair) => pair.join('=')).join('; ')
  keep(page)
  let answer = await app.app.inject({
    method: 'POST',
    url: centralLogin.submit.path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: cookie() },
    payload: new URLSearchParams({
      lt,
      service,
      username: 'student',
      password: demoPassword,
    }).toString(),
  })
  keep(answer)
  if (String(answer.headers.location).startsWith('/cas/login')) {
    answer = await app.app.inject({
      url: String(answer.headers.location),
      headers: { cookie: cookie() },
    })
    keep(answer)
  }
  const ticket = new URL(String(answer.headers.location)).searchParams.get('ticket')
  const redeemed = await app.app.inject({
    method: 'POST',
    url: identity.redeemTicket.path,
    payload: { ticket, service },
  })
  keep(redeemed)
  const next = await refresh(cookies.get('RF-atrium') ?? '')
  expect(next.status).toBe(200)
  expect(sessionOf(next.token ?? '')).toBe(sessionOf(redeemed.json().data.idToken))
  // Another tab of the same browser uses the same central session.
  const first = next.token ?? ''
  cookies.set('RF-atrium', next.cookie ?? '')
  const again = await app.app.inject({
    url: centralLogin.show.path,
    query: { service },
    headers: { cookie: cookie() },
  })
  const second = await app.app.inject({
    method: 'POST',
    url: identity.redeemTicket.path,
    payload: {
      ticket: new URL(String(again.headers.location)).searchParams.get('ticket'),
      service,
    },
    headers: { cookie: cookie() },
  })
  expect(await status(first)).toBe(401)
  expect(await status(second.json().data.idToken)).toBe(200)
})
