import { identity } from '@atrium/contract/identity/identity'
import { activation, forgotten } from '@atrium/contract/identity/passwordless'
import { personal } from '@atrium/contract/member/personal'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { solvedCaptcha } from '../../../../test/captcha.ts'
import { testApp } from '../../../../test/test-app.ts'
import { createDecoy } from './decoy.ts'

const { platform, visitor, withToken, tokenOf } = await testApp()
const { db } = platform

beforeEach(() => sql`delete from code_request`.execute(db))

const begin = async (who: string) => (await visitor(forgotten.begin, { body: { who } })).data
/** Sends a code, solving a captcha if one is due. */
async function send(state: string, kind = 'mobile') {
  const answer = await visitor(forgotten.send, { body: { state, kind } })
  if (answer.error !== 'login.captcha_due') return answer
  const captcha = await solvedCaptcha(visitor)
  return visitor(forgotten.send, { body: { state, kind, captcha } })
}
const check = (state: string, code: string, kind = 'mobile') =>
  visitor(forgotten.check, { body: { state, kind, code } })
const finish = (state: string, newPassword: string) =>
  visitor(forgotten.finish, { body: { state, newPassword } })
const signIn = (username: string, password: string) =>
  visitor(identity.passwordLogin, { body: { username, password } })
async function lastMessage(recipient: string) {
  const { rows } = await sql<{ body: string; code: string }>`
    select body, template_values ->> 'code' as code from outbox
    where recipient = ${recipient} order by id desc limit 1`.execute(db)
  return rows[0] ?? { body: '', code: '' }
}
const countOutbox = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from outbox`.execute(db)).rows[0]?.n
async function inactiveMember() {
  const { rows } = await sql<{ username: string; mobile: string; email: string }>`
    select username, mobile, email from account join person on person.id = person_id
    where status = 'inactive' and mobile <> '' and email <> '' order by account.id limit 1`.execute(
    db,
  )
  if (!rows[0]) throw new Error('the demo has no inactive member')
  return rows[0]
}

test('a password reset ends all sessions, signs nobody in and notifies both contacts', async () => {
  const before = withToken(await tokenOf('teacher'))
  const { state, contacts } = await begin('teacher')
  expect(contacts).toEqual([
    { kind: 'mobile', masked: '138••••0002' },
    { kind: 'email', masked: 'z•••@jianglan.example' },
  ])
  expect(await send(state)).toMatchObject({ status: 200, data: { retryAfter: 60 } })
  const { code } = await lastMessage('13800000002')
  expect((await check(state, code)).data).toEqual({ username: 'teacher', elsewhere: null })
  expect(await finish(state, 'short')).toMatchObject({
    status: 400,
    error: 'account.password_refused',
  })
  const done = await finish(state, 'a quiet lake at seven')
  expect([done.status, done.data]).toEqual([200, {}])
  expect(done.headers['set-cookie']).toBeUndefined()
  for (const contact of ['zhou.mingyuan@jianglan.example', '13800000002'])
    expect((await lastMessage(contact)).body).toContain('账号 teacher 的登录密码已通过验证码重设')
  expect((await before(personal.me)).status).toBe(401)
  expect((await signIn('teacher', 'Atrium-demo-2026')).status).toBe(401)
  expect((await signIn('teacher', 'a quiet lake at seven')).status).toBe(200)
  // each step works once
  expect((await check(state, code)).error).toBe('code.wrong')
  expect((await finish(state, 'another quiet lake')).error).toBe('code.request_used')
})

test('an imported member activates the account with a code by mail', async () => {
  const member = await inactiveMember()
  const { data } = await visitor(activation.begin, { body: { who: member.username } })
  await visitor(activation.send, { body: { state: data.state, kind: 'email' } })
  const { code } = await lastMessage(member.email)
  await visitor(activation.check, { body: { state: data.state, kind: 'email', code } })
  const done = await visitor(activation.finish, {
    body: { state: data.state, newPassword: 'paper boats on the river' },
  })
  expect(done.status).toBe(200)
  for (const contact of [member.email, member.mobile])
    expect((await lastMessage(contact)).body).toContain('登录密码已首次设置')
  expect(await signIn(member.username, 'paper boats on the river')).toMatchObject({ status: 200 })
})

test('unknown and disabled accounts get the same responses as members', async () => {
  const member = await inactiveMember()
  await sql`update account set status = 'disabled' where username = ${member.username}`.execute(db)
  const known = await begin('student')
  const before = await countOutbox()
  for (const who of ['nobody-here', member.username, '13999999999', 'nobody@jianglan.example']) {
    const unknown = await begin(who)
    expect(unknown.state).toHaveLength(known.state.length)
    expect(unknown.contacts.length).toBeGreaterThan(0)
    for (const { kind, masked } of unknown.contacts)
      expect(masked).toMatch(kind === 'mobile' ? /^1\d\d••••\d{4}$/ : /^\w•••@[\w.]+$/)
    // always the same for the same name
    expect((await begin(who)).contacts).toEqual(unknown.contacts)
    const kind = unknown.contacts[0]?.kind
    expect(await send(unknown.state, kind)).toMatchObject({ status: 200, data: { retryAfter: 60 } })
    expect(await send(unknown.state, kind)).toMatchObject({ status: 429, error: 'code.too_many' })
    expect(await check(unknown.state, '123456', kind)).toMatchObject({ error: 'code.wrong' })
  }
  expect(await countOutbox()).toBe(before)
})

test('an account without a contact gets the same responses as an unknown name', async () => {
  const { rows } = await sql<{ username: string; mobile: string; email: string; id: string }>`
    select username, mobile, email, person.id from account join person on person.id = person_id
    where status = 'active' and mobile <> '' order by account.id desc limit 1`.execute(db)
  const [member] = rows
  if (!member) throw new Error('nobody has a number')
  await sql`update person set mobile = '', email = '' where id = ${member.id}`.execute(db)
  const known = await begin('student')
  const before = await countOutbox()
  const { state, contacts } = await begin(member.username)
  expect(state).toHaveLength(known.state.length)
  expect(contacts.length).toBeGreaterThan(0)
  expect((await begin(member.username)).contacts).toEqual(contacts)
  const kind = contacts[0]?.kind
  expect(await send(state, kind)).toMatchObject({ status: 200, data: { retryAfter: 60 } })
  expect(await send(state, kind)).toMatchObject({ status: 429, error: 'code.too_many' })
  expect(await check(state, '123456', kind)).toMatchObject({ error: 'code.wrong' })
  expect(await countOutbox()).toBe(before)
  await sql`update person set mobile = ${member.mobile}, email = ${member.email} where id = ${member.id}`.execute(
    db,
  )
})

/** The form of the masked contacts, without the parts specific to one person. */
const formOf = (contacts: { kind: string; masked: string }[]) =>
  contacts.map(({ kind, masked }) =>
    kind === 'mobile' ? masked.replace(/\d{4}$/, '') : masked.replace(/^./, ''),
  )

test('decoy contacts of unknown names are distributed like those of members', async () => {
  const names = Array.from({ length: 300 }, (_, n) => `made-up-${n}`)
  const decoys = await Promise.all(names.map(async (who) => formOf((await begin(who)).contacts)))
  const { rows } = await sql<{ mobile: string; email: string }>`
    select mobile, email from person where mobile <> '' or email <> ''`.execute(db)
  const real = new Map<string, number>()
  for (const { mobile, email } of rows) {
    const form = [
      ...(mobile ? [`${mobile.slice(0, -8)}••••`] : []),
      ...(email ? [`•••${email.slice(email.indexOf('@')).toLowerCase()}`] : []),
    ].join(' ')
    real.set(form, (real.get(form) ?? 0) + 1 / rows.length)
  }
  const frequencies = new Map<string, number>()
  for (const form of decoys)
    frequencies.set(form.join(' '), (frequencies.get(form.join(' ')) ?? 0) + 1 / decoys.length)
  // Only forms that members have, each about as often.
  for (const form of frequencies.keys()) expect(real.has(form), form).toBe(true)
  const apart = [...real].map(([form, share]) => Math.abs(share - (frequencies.get(form) ?? 0)))
  expect(Math.max(...apart)).toBeLessThan(0.12)
})

test('decoy contacts stay the same when members are added', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `stays-${n}`)
  const currentDecoys = () => Promise.all(names.map((who) => createDecoy(withoutCache(), who)))
  const before = await currentDecoys()
  await sql`insert into person (name, mobile, email) values ('新同学', '13912345678', 'x@jianglan.example')`.execute(
    db,
  )
  const after = await currentDecoys()
  await sql`delete from person where name = '新同学'`.execute(db)
  expect(after).toEqual(before)
})
/** Simulates a freshly started node without a cache. */
const withoutCache = () => ({ ...platform })

test('a password cannot be reset without a code or with a code for another request', async () => {
  const { state } = await begin('student')
  expect((await finish(state, 'a quiet lake at seven')).error).toBe('code.request_used')
  await send(state)
  expect((await finish(state, 'a quiet lake at seven')).error).toBe('code.request_used')
  const other = await begin('staff')
  const { code } = await lastMessage('13800000001')
  expect((await check(other.state, code)).error).toBe('code.wrong')
  expect((await check(state, code, 'email')).error).toBe('code.wrong')
  for (const forged of [
    'x',
    state.slice(0, -3),
    platform.secret.encrypt('["recovery","k","1","d",0]'),
  ])
    expect((await check(forged, code)).error).toBe('code.request_used')
  expect((await check(state, code)).status).toBe(200)
  await sql`update contact_code set used_at = now() - interval '11 minutes'`.execute(db)
  expect((await finish(state, 'a quiet lake at seven')).error).toBe('code.request_used')
})

test('of concurrent attempts to finish a reset exactly one succeeds', async () => {
  const { state } = await begin('staff')
  await send(state)
  await check(state, (await lastMessage('13800000003')).code)
  const passwords = ['seven small clouds', 'eight small clouds', 'nine small clouds']
  const answers = await Promise.all(passwords.map((password) => finish(state, password)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? ''
  expect((await signIn('staff', winner)).status).toBe(200)
})

test.each([['\u0000'], ['x'.repeat(300)], [''], [['a', 'b']]])(
  'a hostile name is rejected: %j',
  async (who) => {
    expect((await visitor(forgotten.begin, { body: { who } })).status).toBe(400)
  },
)
