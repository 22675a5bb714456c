import type { Endpoint } from '@atrium/contract/define'
import { identity } from '@atrium/contract/identity/identity'
import { passwordless } from '@atrium/contract/identity/passwordless'
import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { solvedCaptcha } from '../../../../test/captcha.ts'
import { idTokenOf, openNode, testApp } from '../../../../test/test-app.ts'
import { deleteOldCodes } from './codes.ts'

const { app, platform, url, visitor, withToken } = await testApp()
const { db } = platform
const student = '13800000001'
const nobody = '13999999999'

/** Forgets earlier codes and requests. */
beforeEach(async () => {
  await sql`delete from code_request`.execute(db)
  await sql`delete from contact_code`.execute(db)
})

const nonce = async () => (await visitor(passwordless.smsInit)).data.nonce
/** Sends a code, solving a captcha if one is due. */
async function send(mobile: string, nonce: string) {
  const answer = await visitor(passwordless.smsSend, { body: { mobile, nonce } })
  if (answer.error !== 'login.captcha_due') return answer
  const captcha = await solvedCaptcha(visitor)
  return visitor(passwordless.smsSend, { body: { mobile, nonce, captcha } })
}
const login = (mobile: string, nonce: string, smscode: string) =>
  visitor(passwordless.smsLogin, { body: { mobile, nonce, smscode } })
async function lastCode(recipient: string) {
  const { rows } = await sql<{ code: string }>`
    select template_values ->> 'code' as code from outbox where recipient = ${recipient} order by id desc limit 1`.execute(
    db,
  )
  return rows[0]?.code ?? ''
}
const countOutbox = async () =>
  Number((await sql<{ n: string }>`select count(*) as n from outbox`.execute(db)).rows[0]?.n)
const age = (seconds: number) =>
  sql`update code_request set created_at = created_at - make_interval(secs => ${seconds})`.execute(
    db,
  )
/** A different six-digit code. */
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('a code signs in once', async () => {
  const request = await nonce()
  const sent = await send(student, request)
  expect(sent.data).toEqual({ retryAfter: 60 })
  expect(sent.headers['retry-after']).toBe('60')
  const code = await lastCode(student)
  expect(code).toMatch(/^\d{6}$/)
  const answer = await login(student, request, code)
  expect(answer.status).toBe(200)
  expect(answer.data).toMatchObject({ username: 'student' })
  expect(await withToken(idTokenOf(answer.data))).toBeDefined()
  const replayed = await login(student, request, code)
  expect(replayed).toMatchObject({ status: 400, error: 'code.wrong' })
  await age(61)
  expect(await send(student, request)).toMatchObject({ status: 401, error: 'code.request_used' })
})

test('fields are accepted in the query, and numbers in any notation', async () => {
  const request = await nonce()
  await visitor(passwordless.smsSend, { query: { mobile: '+86 138-0000-0001', nonce: request } })
  const answer = await visitor(passwordless.smsLogin, {
    query: {
      mobile: '138 0000 0001',
      nonce: request,
      smscode: ` ${await lastCode(student)} `,
      osType: 'ios',
    },
  })
  expect(answer.data).toMatchObject({ username: 'student' })
})

test('an unknown number gets the same response, and no code is sent', async () => {
  const known = await send(student, await nonce())
  const before = await countOutbox()
  const request = await nonce()
  const unknown = await send(nobody, request)
  expect([unknown.status, unknown.data]).toEqual([known.status, known.data])
  expect(await countOutbox()).toBe(before)
  // counting, waiting and refusal are identical too
  expect(await send(nobody, request)).toMatchObject({ status: 429, error: 'code.too_many' })
  expect(await login(nobody, request, '123456')).toMatchObject({ status: 400, error: 'code.wrong' })
})

test('a disabled member counts as unknown; an inactive one is told only with the code', async () => {
  const { rows } = await sql<{ id: string; mobile: string; person_id: string }>`
    select account.id, mobile, person_id from account join person on person.id = person_id
    where status = 'inactive' order by account.id limit 1`.execute(db)
  const member = rows[0]
  if (!member) throw new Error('the demo has no inactive member')
  let request = await nonce()
  await send(member.mobile, request)
  expect(await login(member.mobile, request, await lastCode(member.mobile))).toMatchObject({
    status: 403,
    error: 'login.not_activated',
  })
  await sql`update account set status = 'disabled' where id = ${member.id}`.execute(db)
  await age(61)
  const before = await countOutbox()
  request = await nonce()
  expect((await send(member.mobile, request)).status).toBe(200)
  expect(await countOutbox()).toBe(before)
})

test('a number shared by two people signs in neither', async () => {
  await sql`update person set mobile = '13800000003' where mobile = '13800000002'`.execute(db)
  const before = await countOutbox()
  expect((await send('13800000003', await nonce())).status).toBe(200)
  expect(await countOutbox()).toBe(before)
  await sql`update person set mobile = '13800000002' where name_en = 'Zhou Mingyuan'`.execute(db)
})

test('a code is valid only for its nonce and number, for five minutes', async () => {
  const request = await nonce()
  await send(student, request)
  const code = await lastCode(student)
  expect((await login(student, await nonce(), code)).error).toBe('code.wrong')
  expect((await login('13800000002', request, code)).error).toBe('code.wrong')
  const { rows } = await sql<{ minutes: number }>`
    select extract(epoch from expires_at - created_at)::integer / 60 as minutes from contact_code`.execute(
    db,
  )
  expect(rows).toEqual([{ minutes: 5 }])
  await sql`update contact_code set expires_at = now() - interval '1 second'`.execute(db)
  expect((await login(student, request, code)).error).toBe('code.wrong')
})

test('no code is sent for a forged or expired nonce', async () => {
  const request = await nonce()
  const before = await countOutbox()
  for (const forged of ['x', '9999999999999.abc.def', request.replace(/^\d+/, '9999999999999')])
    expect(await send(student, forged)).toMatchObject({ status: 401, error: 'code.request_used' })
  expect((await send(student, '')).error).toBe('request.invalid')
  // A nonce is valid for ten minutes.
  for (const [minutes, status] of [
    [11, 401],
    [9, 200],
  ] as const) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
    try {
      expect((await send(student, request)).status).toBe(status)
    } finally {
      vi.useRealTimers()
    }
  }
  expect(await countOutbox()).toBe(before + 1)
})

test('a new code replaces the previous one', async () => {
  const request = await nonce()
  await send(student, request)
  const first = await lastCode(student)
  let second = first
  // One in a million codes equals the one before it.
  while (second === first) {
    await sql`delete from code_request`.execute(db)
    await send(student, request)
    second = await lastCode(student)
  }
  expect((await login(student, request, first)).error).toBe('code.wrong')
  expect((await login(student, request, second)).status).toBe(200)
})

test('five wrong attempts invalidate a code', async () => {
  const request = await nonce()
  await send(student, request)
  const code = await lastCode(student)
  for (let tries = 0; tries < 5; tries++)
    expect((await login(student, request, other(code))).error).toBe('code.wrong')
  expect((await login(student, request, code)).error).toBe('code.wrong')
})

test('of concurrent uses of one code exactly one succeeds', async () => {
  for (let round = 0; round < 3; round++) {
    await sql`delete from code_request`.execute(db)
    const request = await nonce()
    await send(student, request)
    const code = await lastCode(student)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => login(student, request, code)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  }
})

test('one number gets one code a minute, five an hour and ten a day, even concurrently', async () => {
  const requests = await Promise.all(Array.from({ length: 6 }, () => nonce()))
  const answers = await Promise.all(requests.map((request) => send(student, request)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const blocked = answers.find(({ status }) => status === 429)
  expect(Number(blocked?.headers['retry-after'])).toBeGreaterThan(55)
  expect(Number(blocked?.headers['retry-after'])).toBeLessThanOrEqual(60)
  for (let sent = 1; sent < 5; sent++) {
    await age(61)
    expect((await send(student, await nonce())).status).toBe(200)
  }
  await age(61)
  const hourly = await send(student, await nonce())
  expect(hourly.status).toBe(429)
  expect(Number(hourly.headers['retry-after'])).toBeGreaterThan(3000)
  await age(3600)
  for (let sent = 5; sent < 10; sent++) {
    expect((await send(student, await nonce())).status).toBe(200)
    await age(61)
  }
  await age(3600)
  const daily = await send(student, await nonce())
  expect(Number(daily.headers['retry-after'])).toBeGreaterThan(70_000)
})

test('codes are limited per device, address and network, whatever the number', async () => {
  const from = async (
    mobile: string,
    headers: Record<string, string>,
    remoteAddress = '127.0.0.1',
  ) => {
    const requestCode = (captcha?: string) =>
      nonce().then((nonce) =>
        app.inject({
          method: 'POST',
          url: passwordless.smsSend.path,
          payload: { mobile, nonce, ...(captcha && { captcha }) },
          headers,
          remoteAddress,
        }),
      )
    const answer = await requestCode()
    if (answer.json().error !== 'login.captcha_due') return answer.statusCode
    return (await requestCode(await solvedCaptcha(visitor))).statusCode
  }
  const device = Buffer.from(JSON.stringify({ deviceId: 'flood' })).toString('base64url')
  const byDevice: number[] = []
  for (let at = 0; at < 12; at++)
    byDevice.push(await from(String(13_700_000_000 + at), { 'x-device-info': device }))
  expect(byDevice.filter((status) => status === 200)).toHaveLength(10)
  const byAddress: number[] = []
  for (let at = 0; at < 12; at++) byAddress.push(await from(String(13_600_000_000 + at), {}))
  expect(byAddress.filter((status) => status === 200)).toHaveLength(10)
  // An IPv6 network has practically unlimited addresses.
  const byNetwork: number[] = []
  for (let at = 0; at < 22; at++)
    byNetwork.push(await from(String(13_500_000_000 + at), {}, `2001:db8::${at + 1}`))
  expect(byNetwork.filter((status) => status === 200)).toHaveLength(20)
}, 60_000)

test('from the third code on a captcha is required, each solution valid once', async () => {
  const requestCode = async (captcha?: string) =>
    visitor(passwordless.smsSend, {
      body: {
        mobile: String(Math.floor(13_500_000_000 + Math.random() * 1e8)),
        nonce: await nonce(),
        ...(captcha && { captcha }),
      },
    })
  expect((await requestCode()).status).toBe(200)
  expect((await requestCode()).status).toBe(200)
  expect(await requestCode()).toMatchObject({ error: 'login.captcha_due' })
  expect(await requestCode('made up')).toMatchObject({ error: 'login.captcha_due' })
  const captcha = await solvedCaptcha(visitor)
  expect((await requestCode(captcha)).status).toBe(200)
  expect(await requestCode(captcha)).toMatchObject({ error: 'login.captcha_due' })
})

test('every call is rejected when SMS sign-in is switched off', async () => {
  await sql`insert into config_value (key, value) values ('smsLogin', '0')`.execute(db)
  await sql`select pg_notify('atrium', '{"kind":"topic","key":"config"}')`.execute(db)
  await platform.topics.flushed()
  expect(await visitor(passwordless.smsInit)).toMatchObject({ status: 403, error: 'login.way_off' })
  expect((await send(student, 'x')).error).toBe('login.way_off')
  expect((await login(student, 'x', '123456')).error).toBe('login.way_off')
  await sql`delete from config_value where key = 'smsLogin'`.execute(db)
  await sql`select pg_notify('atrium', '{"kind":"topic","key":"config"}')`.execute(db)
  await platform.topics.flushed()
})

test('SMS sign-in is not offered without an SMS gateway', async () => {
  const offered = async (variables: Record<string, string>) => {
    const node = await openNode(url, { ATRIUM_DEMO: '0', ...variables })
    const call = async ({ method, path }: Endpoint) =>
      (await node.app.inject({ method, url: path })).json()
    const { data } = await call(identity.configs)
    const { error } = await call(passwordless.smsInit)
    await node.app.close()
    await node.platform.close()
    return { smsLogin: data.smsLogin, ways: data.ways, error }
  }
  expect(await offered({})).toEqual({
    smsLogin: false,
    ways: ['password', 'passkey'],
    error: 'login.way_off',
  })
  expect(
    await offered({ ATRIUM_SMS: 'http', ATRIUM_SMS_URL: 'https://sms.example.edu/send' }),
  ).toMatchObject({ smsLogin: true, ways: ['password', 'sms', 'passkey'] })
})

test.each([
  [{ mobile: 'x'.repeat(30) }],
  [{ mobile: '\u0000'.repeat(8) }],
  [{ mobile: "138' or 1=1" }],
  [{ mobile: ['13800000001', '13800000002'] }],
  [{ nonce: 'n'.repeat(1000) }],
])('hostile input %j is rejected', async (part) => {
  const answer = await visitor(passwordless.smsSend, {
    body: { mobile: student, nonce: await nonce(), ...part },
  })
  expect(answer.status).toBe(400)
})

test('codes are deleted an hour after they expired', async () => {
  await send(student, await nonce())
  for (const [minutes, left] of [
    [59, 1],
    [61, 0],
  ]) {
    await sql`update contact_code set expires_at = now() - make_interval(mins => ${minutes})`.execute(
      db,
    )
    await deleteOldCodes(db)
    expect((await sql`select 1 from contact_code`.execute(db)).rows).toHaveLength(left ?? 0)
  }
})
