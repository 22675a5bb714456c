import type { Endpoint } from '@atrium/contract/define'
import { account } from '@atrium/contract/identity/account'
import { identity, signInSteps } from '@atrium/contract/identity/identity'
import { secondFactor } from '@atrium/contract/identity/second-factor'
import { personal } from '@atrium/contract/member/personal'
import { settings } from '@atrium/contract/shell/config.operator'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { startOutbox } from '#platform/delivery/outbox-worker.ts'
import { authenticator } from '../../../../test/authenticator.ts'
import { mailServer } from '../../../../test/mail-server.ts'
import {
  type Caller,
  demoPassword,
  idTokenOf,
  openNode,
  testApp,
} from '../../../../test/test-app.ts'

const { platform, url, visitor, withToken, as } = await testApp()
const { db } = platform
const good = 'seven quiet herons at dawn'
const mobile = { kind: 'mobile' }
const email = { kind: 'email' }
const studentMail = 'lin.zhixia@stu.jianglan.example'

let before: { rows: Record<string, unknown>[] }
/** Restores the demo data, and pretends that earlier codes were sent days ago. */
beforeEach(async () => {
  before ??= await sql<
    Record<string, unknown>
  >`select * from person where id in (select person_id from account where username in ('student', 'teacher', 'staff'))`.execute(
    db,
  )
  for (const { id, mobile, email, password_hash } of before.rows)
    await sql`update person set mobile = ${mobile}, email = ${email}, mobile_verified_at = null, email_verified_at = null,
      password_hash = ${password_hash}, sms_login = true where id = ${id}`.execute(db)
  for (const table of [
    'code_request',
    'contact_code',
    'outbox',
    'login_throttle',
    'security_question',
    'totp',
    'passkey',
    'recovery_code',
  ])
    await sql`delete from ${sql.table(table)}`.execute(db)
  await sql`update session set revoked_at = now() where revoked_at is null and account_id in (select id from account where username <> 'admin')`.execute(
    db,
  )
})

const logIn = (username: string, password = demoPassword) =>
  visitor(identity.passwordLogin, { body: { username, password } })
const signIn = async (username = 'student', password = demoPassword) =>
  withToken(idTokenOf((await logIn(username, password)).data))
const alive = async (caller: Caller) => (await caller(personal.me)).status === 200
/** Moves the last confirmation back in time. */
const minutesLater = (minutes: number) =>
  sql`update session set confirmed_at = confirmed_at - make_interval(mins => ${minutes})`.execute(
    db,
  )
const confirm = (caller: Caller, password = demoPassword) =>
  caller(account.confirm, { body: { password } })
async function lastCode(recipient: string) {
  const { rows } = await sql<{ code: string | null }>`
    select template_values ->> 'code' as code from outbox where recipient = ${recipient} and template_values ? 'code'
    order by id desc limit 1`.execute(db)
  return rows[0]?.code ?? ''
}
/** Notices sent, without codes. */
async function notices() {
  const { rows } = await sql<{ recipient: string; body: string }>`
    select recipient, body from outbox where template like 'account.%' or subject like '账号安全提醒%' order by id`.execute(
    db,
  )
  return rows
}
async function prove(caller: Caller, kind: { kind: string } = mobile, contact = '13800000001') {
  await caller(account.sendOldCode, { params: kind })
  return caller(account.proveContact, { params: kind, body: { code: await lastCode(contact) } })
}
async function bind(caller: Caller, kind: { kind: string }, contact: string, more = {}) {
  const sent = await caller(account.sendNewCode, { params: kind, body: { contact } })
  const code = await lastCode(contact)
  return {
    sent,
    code,
    bound: await caller(account.changeContact, { params: kind, body: { contact, code, ...more } }),
  }
}
const switchQuestions = async (value: string) => {
  await (await as('admin'))(settings.update, {
    params: { key: 'securityQuestions' },
    body: { value },
  })
  await platform.topics.flushed()
}
const questions = [
  { question: 'firstTeacher', answer: 'Wang Fang' },
  { question: 'favouriteDish', answer: '红烧肉' },
  { question: '我养过的第一只猫叫什么', answer: '年糕' },
]
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('account security', () => {
  test('returns masked contacts and the proofs that each change requires', async () => {
    const student = await signIn()
    const { data, raw } = await student(account.security)
    expect(data).toMatchObject({
      password: { set: true, mustChange: false },
      mobile: { masked: '138****0001', verifiedAt: null },
      smsLogin: { offered: true, on: true },
      questions: { offered: false, list: [] },
      needs: { password: [], mobile: ['contact'], email: ['contact'], questions: ['contact'] },
    })
    expect(Date.parse(data.confirmedUntil ?? '')).toBeGreaterThan(Date.now())
    for (const secret of ['13800000001', studentMail, 'argon2']) expect(raw).not.toContain(secret)
    await minutesLater(11)
    expect((await student(account.security)).data).toMatchObject({
      confirmedUntil: null,
      needs: { password: ['confirm'], mobile: ['confirm', 'contact'] },
    })
  })

  test.each(Object.entries(account))('requires a session for %s', async (name, endpoint) => {
    const bodies: Record<string, object> = {
      confirm: { password: demoPassword },
      changePassword: { newPassword: good },
      proveContact: { code: '123456' },
      sendNewCode: { contact: '13955550000' },
      changeContact: { contact: '13955550000', code: '123456' },
      answerQuestions: { answers: ['a', 'b', 'c'] },
      setQuestions: { questions },
      chooseSmsLogin: { on: false },
    }
    const input = {
      ...(endpoint.path.includes('{kind}') && { params: mobile }),
      ...(bodies[name] && { body: bodies[name] }),
    }
    // With a session this input is valid.
    expect((await (await signIn())(endpoint, input)).error).not.toBe('request.invalid')
    expect(await visitor(endpoint, input)).toMatchObject({ status: 401, error: 'session.required' })
  })
})

describe('identity confirmation', () => {
  test('requires the password and applies to this session only', async () => {
    const [here, there] = [await signIn(), await signIn()]
    await minutesLater(11)
    expect(await confirm(here, 'wrong')).toMatchObject({
      status: 400,
      error: 'account.password_wrong',
    })
    expect((await confirm(here)).status).toBe(200)
    expect(
      (await here(account.changePassword, { body: { newPassword: good, endOthers: false } }))
        .status,
    ).toBe(200)
    expect(
      await there(account.changePassword, { body: { newPassword: `${good}!` } }),
    ).toMatchObject({ status: 403, error: 'session.confirmation_due' })
  })

  test('is throttled like signing in, for this session only', async () => {
    const student = await signIn()
    for (let tries = 0; tries < 3; tries++) await confirm(student, 'wrong')
    expect(await confirm(student)).toMatchObject({ status: 403, error: 'login.captcha_due' })
    // Confirmation and sign-in have separate counters.
    expect(await logIn('student')).toMatchObject({ status: 200 })
    await sql`update login_throttle set blocked_until = now() + interval '9 seconds'`.execute(db)
    const refused = await confirm(student)
    expect(refused).toMatchObject({ status: 429, error: 'login.too_many' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('also requires an enrolled second factor, and accepts each code once', async () => {
    const student = await signIn()
    const { secret, enrolment } = (await student(secondFactor.beginTotp)).data
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const added = await student(secondFactor.addTotp, { body: { enrolment, code } })
    const [recovery] = added.data.recoveryCodes
    await minutesLater(11)
    const confirmWith = (factors: object) =>
      student(account.confirm, { body: { password: demoPassword, ...factors } })
    expect(await confirmWith({})).toMatchObject({ status: 403, error: 'account.factor_due' })
    expect(await confirmWith({ code })).toMatchObject({ error: 'factor.refused' })
    expect(await confirmWith({ code: recovery, password: 'wrong' })).toMatchObject({
      error: 'account.password_wrong',
    })
    expect((await student(account.security)).data.confirmedUntil).toBeNull()
    expect((await confirmWith({ code: recovery })).data).toMatchObject({
      factors: ['totp', 'recovery'],
    })
    expect(await confirmWith({ code: recovery })).toMatchObject({ error: 'factor.refused' })
  })

  test('accepts a passkey instead of a code, once and only from this session', async () => {
    const [student, elsewhere] = [await signIn(), await signIn()]
    const device = authenticator(platform.origin())
    const { data: options } = await student(secondFactor.beginPasskey)
    const body = { credential: device.create(options), name: 'Phone' }
    expect((await student(secondFactor.addPasskey, { body })).status).toBe(200)
    await minutesLater(11)
    const confirmWith = (caller: Caller, factors: object) =>
      caller(account.confirm, { body: { password: demoPassword, ...factors } })
    const { data: asked } = await student(secondFactor.confirmOptions)
    const assertion = device.get(asked)
    expect(await confirmWith(elsewhere, { assertion })).toMatchObject({
      error: 'factor.passkey_refused',
    })
    expect(await confirmWith(student, { assertion, password: 'wrong' })).toMatchObject({
      error: 'account.password_wrong',
    })
    expect((await student(account.security)).data.confirmedUntil).toBeNull()
    expect((await confirmWith(student, { assertion })).data.confirmedUntil).not.toBeNull()
    expect((await elsewhere(account.security)).data.confirmedUntil).toBeNull()
    expect(await confirmWith(student, { assertion })).toMatchObject({
      error: 'factor.passkey_refused',
    })
  })

  test.each([
    [account.changePassword, { body: { newPassword: good } }],
    [account.sendOldCode, { params: mobile }],
    [account.proveContact, { params: mobile, body: { code: '123456' } }],
    [account.sendNewCode, { params: mobile, body: { contact: '13955550000' } }],
    [account.changeContact, { params: mobile, body: { contact: '13955550000', code: '123456' } }],
    [account.removeContact, { params: mobile }],
    [account.answerQuestions, { body: { answers: ['a', 'b', 'c'] } }],
    [account.chooseSmsLogin, { body: { on: false } }],
  ] as const)('expires: %o is rejected after eleven minutes', async (endpoint, input) => {
    const student = await signIn()
    await minutesLater(11)
    expect(await student(endpoint, input)).toMatchObject({
      status: 403,
      error: 'session.confirmation_due',
    })
  })
})

describe('changing the password', () => {
  test('replaces the old one, ends the other sessions and notifies the member', async () => {
    const [here, there] = [await signIn(), await signIn()]
    const changed = await here(account.changePassword, { body: { newPassword: good } })
    expect(changed.status).toBe(200)
    expect([await alive(here), await alive(there)]).toEqual([true, false])
    expect(await logIn('student')).toMatchObject({ status: 401 })
    expect((await logIn('student', good)).status).toBe(200)
    const sentNotices = await notices()
    expect(sentNotices.map(({ recipient }) => recipient).sort()).toEqual(
      ['13800000001', studentMail].sort(),
    )
    expect(sentNotices[0]?.body).toContain('密码已修改')
    expect(sentNotices[0]?.body).not.toContain(good)
  })

  test.each([true, false])('cancels sign-ins in progress with endOthers: %s', async (endOthers) => {
    const here = await signIn()
    await sql`update person set password_must_change = true
      where id = (select person_id from account where username = 'student')`.execute(db)
    const { data } = await logIn('student')
    const state = 'due' in data ? data.state : ''
    const body = { newPassword: good, endOthers }
    expect((await here(account.changePassword, { body })).status).toBe(200)
    expect(await visitor(signInSteps.step, { body: { state } })).toMatchObject({
      status: 401,
      error: 'login.state_expired',
    })
    expect(await alive(here)).toBe(true)
  })

  test('keeps the other sessions if endOthers is false', async () => {
    const [here, there] = [await signIn(), await signIn()]
    await here(account.changePassword, { body: { newPassword: good, endOthers: false } })
    expect([await alive(here), await alive(there)]).toEqual([true, true])
  })

  test.each([
    ['seven77', '至少需要 8 个字符'],
    ['password1', '常见'],
    ['student-student', '学工号'],
    ['my friend 林知夏', '姓名'],
    ['qwer1234asdf', '容易被猜到'],
    ['x'.repeat(201), '最多 200'],
    [demoPassword, '不能与原密码相同'],
  ])('to %s is rejected and changes nothing', async (newPassword, words) => {
    const student = await signIn()
    const refused = await student(account.changePassword, { body: { newPassword } })
    expect(refused).toMatchObject({ status: 400, error: 'account.password_refused' })
    expect(refused.fields?.newPassword).toContain(words)
    expect((await logIn('student')).status).toBe(200)
    expect(await notices()).toEqual([])
  })

  test('accepts any characters', async () => {
    const newPassword = '  云 und 🦩 ſ\u0000\t"<b>'
    const student = await signIn()
    expect((await student(account.changePassword, { body: { newPassword } })).status).toBe(200)
    expect((await logIn('student', newPassword)).status).toBe(200)
  })
})

describe('changing a contact', () => {
  test('requires a code to the old and the new contact, and notifies the old ones', async () => {
    const student = await signIn()
    expect(
      await student(account.sendNewCode, { params: mobile, body: { contact: '13955550000' } }),
    ).toMatchObject({ status: 403, error: 'account.proof_due' })
    expect((await prove(student)).data).toMatchObject({
      needs: { mobile: [] },
      mobile: { verifiedAt: expect.any(String) },
    })
    const { sent, bound } = await bind(student, mobile, '+86 139 5555 0000'.replaceAll(' ', ''))
    expect(sent.data).toEqual({ retryAfter: 60 })
    expect(bound.status).toBe(400)
    const again = await student(account.changeContact, {
      params: mobile,
      body: { contact: '139 5555 0000', code: await lastCode('13955550000') },
    })
    expect(again.data).toMatchObject({
      mobile: { masked: '139****0000', verifiedAt: expect.any(String) },
      needs: { mobile: ['contact'] },
    })
    const sentNotices = await notices()
    expect(sentNotices.map(({ recipient }) => recipient)).toEqual(['13800000001', studentMail])
    expect(sentNotices[0]?.body).toContain('手机号已变更')
    expect(sentNotices[0]?.body).not.toContain('13955550000')
  })

  test('accepts a code to the contact of the other kind', async () => {
    const student = await signIn()
    expect((await prove(student, email, studentMail)).status).toBe(200)
    expect((await bind(student, mobile, '13955550001')).bound.status).toBe(200)
    await sql`delete from code_request`.execute(db)
    await prove(student, mobile, '13955550001')
    const { bound } = await bind(student, email, 'New.Name@example.org')
    expect(bound.data).toMatchObject({ email: { masked: 'N***e@example.org' } })
  })

  test('requires only identity confirmation for the first contact', async () => {
    await sql`update person set mobile = '', email = '' where id = (select person_id from account where username = 'student')`.execute(
      db,
    )
    const student = await signIn()
    expect((await student(account.security)).data.needs).toMatchObject({ mobile: [] })
    expect((await bind(student, email, 'first@example.org')).bound.status).toBe(200)
  })

  test('accepts a code once, only for its contact, session and purpose', async () => {
    const [student, elsewhere, teacher] = [await signIn(), await signIn(), await signIn('teacher')]
    await prove(student)
    await student(account.sendNewCode, { params: mobile, body: { contact: '13955550002' } })
    const code = await lastCode('13955550002')
    const change = (caller: Caller, contact: string, code: string) =>
      caller(account.changeContact, { params: mobile, body: { contact, code } })
    expect(await change(student, '13955550003', code)).toMatchObject({ error: 'code.wrong' })
    expect(await change(student, '13955550002', other(code))).toMatchObject({ error: 'code.wrong' })
    expect(await change(elsewhere, '13955550002', code)).toMatchObject({
      error: 'account.proof_due',
    })
    expect(await change(teacher, '13955550002', code)).toMatchObject({ error: 'account.proof_due' })
    expect(await student(account.proveContact, { params: mobile, body: { code } })).toMatchObject({
      error: 'code.wrong',
    })
    const both = await Promise.all([
      change(student, '13955550002', code),
      change(student, '13955550002', code),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, expect.any(Number)])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await change(student, '13955550002', code)).status).not.toBe(200)
  })

  test('accepts a proof for one change only', async () => {
    const student = await signIn()
    await prove(student)
    expect((await bind(student, mobile, '13955550004')).bound.status).toBe(200)
    expect(
      await student(account.sendNewCode, { params: email, body: { contact: 'x@example.org' } }),
    ).toMatchObject({ error: 'account.proof_due' })
  })

  test('rejects a proof older than eleven minutes', async () => {
    const student = await signIn()
    await prove(student)
    await sql`update account_proof set proved_at = now() - interval '11 minutes'`.execute(db)
    expect(await student(account.removeContact, { params: mobile })).toMatchObject({
      status: 403,
      error: 'account.proof_due',
    })
  })

  test('does not reveal whether another member has the new contact', async () => {
    const student = await signIn()
    await prove(student)
    const taken = await student(account.sendNewCode, {
      params: mobile,
      body: { contact: '13800000002' },
    })
    await sql`delete from code_request`.execute(db)
    const free = await student(account.sendNewCode, {
      params: mobile,
      body: { contact: '13955550005' },
    })
    expect([taken.status, taken.raw]).toEqual([free.status, free.raw])
    expect(await lastCode('13800000002')).toMatch(/^\d{6}$/)
  })

  test('sends at most one code a minute', async () => {
    const student = await signIn()
    expect((await student(account.sendOldCode, { params: mobile })).status).toBe(200)
    expect(await student(account.sendOldCode, { params: mobile })).toMatchObject({
      status: 429,
      error: 'code.too_many',
      headers: { 'retry-after': expect.any(String) },
    })
  })

  test('allows removing a contact only while another remains', async () => {
    const student = await signIn()
    await prove(student)
    expect((await student(account.removeContact, { params: mobile })).data).toMatchObject({
      mobile: { masked: '', verifiedAt: null },
    })
    expect((await notices())[0]).toMatchObject({ recipient: '13800000001' })
    expect(await student(account.sendOldCode, { params: mobile })).toMatchObject({
      status: 404,
      error: 'account.contact_missing',
    })
    await prove(student, email, studentMail)
    expect(await student(account.removeContact, { params: email })).toMatchObject({
      status: 409,
      error: 'account.contact_last',
    })
    // The failed attempt consumed nothing.
    expect((await bind(student, mobile, '13955550006')).bound.status).toBe(200)
  })

  test.each([
    [mobile, '12'],
    [mobile, '1380000000'],
    [mobile, '+8a'],
    [mobile, "1380000000'"],
    [mobile, 'a@b.example'],
    [email, 'no-mail'],
    [email, 'a@b'],
    [email, 'a@b.example\r\nBcc: c@d.example'],
    [email, 'a b@c.example'],
    [email, 'a@c.example\u0000'],
  ])('rejects an invalid contact: %o %j', async (kind, contact) => {
    const student = await signIn()
    await prove(student)
    expect(await student(account.sendNewCode, { params: kind, body: { contact } })).toMatchObject({
      status: 400,
      error: 'request.invalid',
    })
  })

  test('rejects the contact that is already verified', async () => {
    const student = await signIn()
    await prove(student)
    expect(
      await student(account.sendNewCode, { params: mobile, body: { contact: '13800000001' } }),
    ).toMatchObject({ status: 400, fields: { contact: expect.stringContaining('相同') } })
  })

  test('ends the other sessions if requested', async () => {
    const [here, there] = [await signIn(), await signIn()]
    await prove(here)
    await bind(here, mobile, '13955550007', { endOthers: true })
    expect([await alive(here), await alive(there)]).toEqual([true, false])
  })
})

describe('security questions', () => {
  const answers = ['wangfang', ' 红烧肉。', '年 糕']

  test('are off by default', async () => {
    const student = await signIn()
    await prove(student)
    expect(await student(account.setQuestions, { body: { questions } })).toMatchObject({
      status: 404,
      error: 'account.questions_off',
    })
  })

  test('are an additional step before changes, and stored only as hashes', async () => {
    await switchQuestions('1')
    try {
      const student = await signIn()
      expect(await student(account.setQuestions, { body: { questions } })).toMatchObject({
        error: 'account.proof_due',
      })
      await prove(student)
      const set = await student(account.setQuestions, { body: { questions } })
      expect(set.data.questions).toEqual({
        offered: true,
        list: questions.map(({ question }) => question),
      })
      expect(set.data.needs).toEqual({
        password: ['questions'],
        mobile: ['questions', 'contact'],
        email: ['questions', 'contact'],
        questions: ['questions'],
      })
      const { rows } = await sql<{
        answer_hash: string
      }>`select answer_hash from security_question`.execute(db)
      expect(rows.every(({ answer_hash }) => answer_hash.startsWith('$argon2id$'))).toBe(true)
      expect(await student(account.changePassword, { body: { newPassword: good } })).toMatchObject({
        error: 'account.proof_due',
      })
      expect(
        await student(account.answerQuestions, { body: { answers: ['wangfang', 'x', 'y'] } }),
      ).toMatchObject({ status: 400, error: 'account.answers_wrong' })
      await minutesLater(11)
      expect(await student(account.answerQuestions, { body: { answers } })).toMatchObject({
        error: 'session.confirmation_due',
      })
      await confirm(student)
      expect(
        (await student(account.answerQuestions, { body: { answers } })).data.needs,
      ).toMatchObject({ password: [], mobile: ['contact'], questions: [] })
      expect((await student(account.changePassword, { body: { newPassword: good } })).status).toBe(
        200,
      )
      await student(account.answerQuestions, { body: { answers } })
      expect((await student(account.removeQuestions)).data.questions.list).toEqual([])
    } finally {
      await switchQuestions('0')
    }
  })

  test('are answered only by their owner, and guesses are throttled', async () => {
    await switchQuestions('1')
    try {
      const [student, teacher] = [await signIn(), await signIn('teacher')]
      await prove(student)
      await student(account.setQuestions, { body: { questions } })
      expect(await teacher(account.answerQuestions, { body: { answers } })).toMatchObject({
        error: 'account.questions_off',
      })
      for (let tries = 0; tries < 2; tries++)
        await student(account.answerQuestions, { body: { answers: ['a', 'b', 'c'] } })
      await sql`update login_throttle set blocked_until = now() + interval '9 seconds'`.execute(db)
      expect(await student(account.answerQuestions, { body: { answers } })).toMatchObject({
        status: 429,
        error: 'login.too_many',
      })
    } finally {
      await switchQuestions('0')
    }
  })

  test('are rejected by field if repeated or too easy, and unless exactly three', async () => {
    await switchQuestions('1')
    try {
      const student = await signIn()
      await prove(student)
      for (const [second, fields] of [
        [{ question: 'firstTeacher', answer: 'Li Na' }, ['question']],
        [{ question: 'firstBook', answer: 'wang fang!' }, ['answer']],
        [{ question: 'firstBook', answer: '!x' }, ['answer']],
        [{ question: 'My cat Rex is called', answer: 'REX' }, ['answer']],
        [{ question: ' a? ', answer: 'zebra' }, ['question']],
      ] as const) {
        const refused = await student(account.setQuestions, {
          body: { questions: [questions[0], second, questions[2]] },
        })
        expect(refused).toMatchObject({ status: 400, error: 'account.questions_refused' })
        expect(Object.keys(refused.fields ?? {})).toEqual(
          fields.map((field) => `questions.1.${field}`),
        )
      }
      expect((await student(account.security)).data.questions.list).toEqual([])
      expect(
        await student(account.setQuestions, { body: { questions: questions.slice(1) } }),
      ).toMatchObject({ status: 400, error: 'request.invalid' })
    } finally {
      await switchQuestions('0')
    }
  })
})

test('a member can turn off SMS sign-in and is notified', async () => {
  const student = await signIn()
  expect((await student(account.chooseSmsLogin, { body: { on: false } })).data.smsLogin).toEqual({
    offered: true,
    on: false,
  })
  expect((await notices())[0]?.body).toContain('短信验证码登录已关闭')
})

test('codes and notices reach a real mail server in the language of the request', async () => {
  const server = await mailServer()
  const node = await openNode(url, {
    ATRIUM_DEMO: '0',
    ATRIUM_MAIL_FROM: 'Jianglan <portal@jianglan.example>',
    ATRIUM_MAIL_URL: `smtp://portal:right@127.0.0.1:${server.port}?tls=off`,
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${server.port}`,
  })
  const worker = startOutbox(node.platform)
  const token = idTokenOf((await logIn('student')).data)
  const send = async ({ method, path }: Endpoint, payload: object) => {
    const answer = await node.app.inject({
      method,
      url: path.replace('{kind}', 'email'),
      payload,
      headers: { 'x-id-token': token, 'accept-language': 'en' },
    })
    expect(answer.statusCode).toBe(200)
  }
  const mailTo = async (recipient: string, words: RegExp) => {
    const find = () =>
      server.mails.find(({ to, text }) => to.includes(recipient) && words.test(text))?.text ?? ''
    await expect.poll(find, { timeout: 15_000 }).toMatch(words)
    return find()
  }
  const codeTo = async (recipient: string) =>
    /Your code is (\d{6})/.exec(await mailTo(recipient, /Your code is \d{6}/))?.[1]
  try {
    await send(account.sendOldCode, {})
    await send(account.proveContact, { code: await codeTo(studentMail) })
    const contact = 'lin@new.example'
    await send(account.sendNewCode, { contact })
    await send(account.changeContact, { contact, code: await codeTo(contact) })
    await mailTo(studentMail, /the email address was changed/)
    await send(account.changePassword, { newPassword: good })
    await mailTo(contact, /the password was changed/)
  } finally {
    await worker.stop()
    await node.app.close()
    await node.platform.close()
  }
})
