import {
  identity,
  type SignIn,
  type SignInStep,
  signInSteps,
} from '@atrium/contract/identity/identity'
import { personal } from '@atrium/contract/member/personal'
import { settings } from '@atrium/contract/shell/config.operator'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { demoPassword, idTokenOf, type TestApp, testApp } from '../../../../test/test-app.ts'
import { hashSecret } from './queries.ts'

let app: TestApp
/** another account of the person `teacher`, and an account of somebody else */
let second: { accountId: string; username: string }
let foreign: string
beforeAll(async () => {
  app = await testApp()
  const { db } = app.platform
  const teacher = await db
    .selectFrom('account')
    .select(['person_id', 'organization_id', 'identity_type_code'])
    .where('username', '=', 'teacher')
    .executeTakeFirstOrThrow()
  const inserted = await db
    .insertInto('account')
    .values({ ...teacher, username: 'teacher-second', status: 'active' })
    .returning('id')
    .executeTakeFirstOrThrow()
  second = { accountId: inserted.id, username: 'teacher-second' }
  foreign = (
    await db
      .selectFrom('account')
      .select('id')
      .where('username', '=', 'student')
      .executeTakeFirstOrThrow()
  ).id
})

const login = async (username: string, password = demoPassword) =>
  (await app.visitor(identity.passwordLogin, { body: { username, password } })).data
function dueOf(answer: SignIn): SignInStep {
  if (!('due' in answer)) throw new Error('nothing is due')
  return answer
}
const person = (username: string) =>
  app.platform.db.selectFrom('account').select('person_id').where('username', '=', username)
const setPerson = (username: string, values: object) =>
  app.platform.db.updateTable('person').set(values).where('id', '=', person(username)).execute()
const setSetting = async (key: string, value: string) =>
  (await app.as('admin'))(settings.update, { params: { key }, body: { value } })

describe('a required password change', () => {
  const change = (state: string, newPassword: string) =>
    app.visitor(signInSteps.passwordChange, { body: { state, newPassword } })

  test('opens no session before an accepted new password, then ends other sessions', async () => {
    const elsewhere = idTokenOf(await login('staff'))
    await setPerson('staff', { password_must_change: true })
    const { state, due } = dueOf(await login('staff'))
    expect(due).toBe('passwordChange')
    for (const bad of ['short', demoPassword, 'password123'])
      expect((await change(state, bad)).error).toBe('account.password_refused')
    const changed = await change(state, 'Nine lamps in the harbour')
    expect(changed.status).toBe(200)
    expect((await app.withToken(idTokenOf(changed.data))(personal.me)).status).toBe(200)
    expect((await app.withToken(elsewhere)(personal.me)).status).toBe(401)
    expect((await change(state, 'Nine lamps in the harbour')).error).toBe('login.state_expired')
    const again = await app.visitor(identity.passwordLogin, {
      body: { username: 'staff', password: 'Nine lamps in the harbour' },
    })
    expect(again.data).toHaveProperty('idToken')
  })

  test('is due when the password is older than the configured maximum', async () => {
    await setSetting('passwordMaxDays', '30')
    await setPerson('student', { password_changed_at: new Date(Date.now() - 31 * 86_400_000) })
    expect(dueOf(await login('student')).due).toBe('passwordChange')
    await setSetting('passwordMaxDays', '0')
    expect(await login('student')).toHaveProperty('idToken')
  })

  test('notifies both contacts once the password is changed', async () => {
    const { db } = app.platform
    await setPerson('staff', { password_must_change: true })
    const listNotices = () =>
      db
        .selectFrom('outbox')
        .select(['recipient', 'body'])
        .where('body', 'like', '%登录密码%')
        .orderBy('kind')
        .execute()
    await db.deleteFrom('outbox').execute()
    const { state } = dueOf(await login('staff', 'Nine lamps in the harbour'))
    await change(state, 'short')
    expect(await listNotices()).toEqual([])
    expect((await change(state, 'Ten lanterns on the river')).status).toBe(200)
    expect(await listNotices()).toEqual([
      {
        recipient: 'chen.siqi@jianglan.example',
        body: expect.stringContaining('你的账号 staff 的登录密码已修改'),
      },
      { recipient: '13800000003', body: expect.stringContaining('账号 staff 的登录密码已修改') },
    ])
  })

  test('succeeds for one of several sign-ins in progress and cancels the others', async () => {
    await setPerson('staff', { password_must_change: true })
    const begin = async () => dueOf(await login('staff', 'Ten lanterns on the river')).state
    const waiting = await begin()
    const states = [await begin(), await begin(), await begin()]
    const answers = await Promise.all(
      states.map((state, n) => change(state, `Eleven kites over field ${n}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ error }) => error === 'login.state_expired')).toHaveLength(2)
    const step = await app.visitor(signInSteps.step, { body: { state: waiting } })
    expect(step.error).toBe('login.state_expired')
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await login('staff', `Eleven kites over field ${winner}`)).toHaveProperty('idToken')
  })

  test('keeps its own sign-in if another step is due', async () => {
    await setSetting('agreementVersion', '2026-08')
    await setPerson('student', { password_must_change: true })
    const { password_hash } = await app.platform.db
      .selectFrom('person')
      .select('password_hash')
      .where('id', '=', person('student'))
      .executeTakeFirstOrThrow()
    const { state } = dueOf(await login('student'))
    const next = dueOf((await change(state, 'Twelve bells before noon')).data)
    expect([next.due, next.state]).toEqual(['agreement', state])
    const body = { state, version: '2026-08' }
    expect((await app.visitor(signInSteps.agreement, { body })).data).toHaveProperty('idToken')
    await setPerson('student', { password_hash })
    await setSetting('agreementVersion', '')
  })
})

describe('a sign-in in progress', () => {
  test('accepts the current agreement version once and no other version', async () => {
    await setSetting('agreementVersion', '2026-09')
    const { state, due, agreementVersion } = dueOf(await login('student'))
    expect({ due, agreementVersion }).toEqual({ due: 'agreement', agreementVersion: '2026-09' })
    const accept = (version: string) =>
      app.visitor(signInSteps.agreement, { body: { state, version } })
    expect(dueOf((await accept('2099-01')).data).due).toBe('agreement')
    const answers = await Promise.all([accept('2026-09'), accept('2026-09'), accept('2026-09')])
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.error === 'login.state_expired')).toHaveLength(2)
    expect(await login('student')).toHaveProperty('idToken')
    await setSetting('agreementVersion', '')
  })

  test('is identified by its state for ten minutes, and allows ten calls without progress', async () => {
    await setSetting('agreementVersion', '2026-10')
    const ask = (state: string) => app.visitor(signInSteps.step, { body: { state } })
    const { state } = dueOf(await login('student'))
    for (let n = 0; n < 10; n++) expect(dueOf((await ask(state)).data).due).toBe('agreement')
    expect((await ask(state)).error).toBe('login.state_expired')
    expect((await ask('x')).error).toBe('login.state_expired')
    expect((await ask('\u0000')).error).toBe('login.state_expired')
    const late = dueOf(await login('student')).state
    const { minutes } = await app.platform.db
      .selectFrom('sign_in')
      .select(sql<number>`extract(epoch from expires_at - created_at)::integer / 60`.as('minutes'))
      .where('key_hash', '=', hashSecret(late))
      .executeTakeFirstOrThrow()
    expect(minutes).toBe(10)
    await app.platform.db
      .updateTable('sign_in')
      .set({ expires_at: new Date(0).toISOString() })
      .where('key_hash', '=', hashSecret(late))
      .execute()
    expect((await ask(late)).error).toBe('login.state_expired')
    await setSetting('agreementVersion', '')
  })

  test('passes its second factor on to one password login of the same person', async () => {
    const rowOf = async (username: string, state: string) =>
      app.platform.db
        .insertInto('sign_in')
        .values({
          key_hash: hashSecret(state),
          person_id: (await person(username).executeTakeFirstOrThrow()).person_id,
          way: 'password',
          strong: true,
          expires_at: new Date(Date.now() + 60_000).toISOString(),
        })
        .execute()
    const strengthOf = async (username: string, mfaState: string) => {
      const { data } = await app.visitor(identity.passwordLogin, {
        body: { username, password: demoPassword, mfaState },
      })
      const id = JSON.parse(
        Buffer.from(idTokenOf(data).split('.')[1] ?? '', 'base64url').toString(),
      ).jti.split('.')[0]
      const row = await app.platform.db
        .selectFrom('session')
        .select('strong')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return row.strong
    }
    await rowOf('student', 'given-by-student')
    expect(await strengthOf('teacher', 'given-by-student')).toBe(false)
    expect(await strengthOf('student', 'given-by-student')).toBe(true)
    expect(await strengthOf('student', 'given-by-student')).toBe(false)
  })
})

describe('switching between accounts of one person', () => {
  test('lists the accounts to their member only, and ends the previous session', async () => {
    const token = idTokenOf(await login('teacher'))
    const { data } = await app.withToken(token)(signInSteps.accounts)
    expect(data.accounts.map(({ username, current }) => [username, current]).sort()).toEqual([
      ['teacher', true],
      ['teacher-second', false],
    ])
    const others = await app.withToken(idTokenOf(await login('student')))(signInSteps.accounts)
    expect(others.data.accounts.map(({ username }) => username)).toEqual(['student'])
    expect(await app.visitor(signInSteps.accounts)).toMatchObject({
      status: 401,
      error: 'session.required',
    })
    const chosen = await app.withToken(token)(signInSteps.accountChoose, {
      body: { accountId: second.accountId, cid: data.cid },
    })
    const fresh = app.withToken(idTokenOf(chosen.data))
    expect((await fresh(personal.me)).data.accountName).toBe('teacher-second')
    expect((await app.withToken(token)(personal.me)).status).toBe(401)
  })

  test('rejects another person’s account, a disabled account and another session’s key', async () => {
    const token = idTokenOf(await login('teacher'))
    const { data } = await app.withToken(token)(signInSteps.accounts)
    const choose = (accountId: string, cid = data.cid) =>
      app.withToken(token)(signInSteps.accountChoose, { body: { accountId, cid } })
    expect((await choose(foreign)).error).toBe('login.account_not_found')
    await app.platform.db
      .updateTable('account')
      .set({ status: 'disabled' })
      .where('id', '=', second.accountId)
      .execute()
    expect((await choose(second.accountId)).error).toBe('login.account_not_found')
    await app.platform.db
      .updateTable('account')
      .set({ status: 'active' })
      .where('id', '=', second.accountId)
      .execute()
    // A key of another session, and a request without a session.
    const other = await app.withToken(idTokenOf(await login('teacher')))(signInSteps.accounts)
    expect((await choose(second.accountId, other.data.cid)).error).toBe('login.state_expired')
    const visitor = await app.visitor(signInSteps.accountChoose, {
      body: { accountId: second.accountId, cid: data.cid },
    })
    expect(visitor.error).toBe('login.state_expired')
    expect((await app.withToken(token)(personal.me)).status).toBe(200)
  })

  test('does not count as a fresh confirmation', async () => {
    const token = idTokenOf(await login('teacher'))
    const sessionOf = (idToken: string) =>
      JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()).jti.split('.')[0]
    const long = new Date(Date.now() - 3_600_000).toISOString()
    const { db } = app.platform
    await db
      .updateTable('session')
      .set({ confirmed_at: long })
      .where('id', '=', sessionOf(token))
      .execute()
    const { data } = await app.withToken(token)(signInSteps.accounts)
    const chosen = await app.withToken(token)(signInSteps.accountChoose, {
      body: { accountId: second.accountId, cid: data.cid },
    })
    const row = await db
      .selectFrom('session')
      .select('confirmed_at')
      .where('id', '=', sessionOf(idTokenOf(chosen.data)))
      .executeTakeFirstOrThrow()
    expect(Date.parse(row.confirmed_at)).toBe(Date.parse(long))
  })

  test('never asks for a new password, which nobody has proved to be theirs', async () => {
    const token = idTokenOf(await login('teacher'))
    await setPerson('teacher', { password_must_change: true })
    try {
      const { data } = await app.withToken(token)(signInSteps.accounts)
      const chosen = await app.withToken(token)(signInSteps.accountChoose, {
        body: { accountId: second.accountId, cid: data.cid },
      })
      expect(chosen.data).not.toHaveProperty('due')
      expect(dueOf(await login('teacher-second')).due).toBe('passwordChange')
    } finally {
      await setPerson('teacher', { password_must_change: false })
    }
  })

  test('is a sign-in step when the proof identifies only the person, and works once', async () => {
    const { db } = app.platform
    const state = 'a-state-of-this-test'
    await db
      .insertInto('sign_in')
      .values({
        key_hash: hashSecret(state),
        person_id: (await person('teacher').executeTakeFirstOrThrow()).person_id,
        way: 'sms',
        expires_at: new Date(Date.now() + 60_000).toISOString(),
      })
      .execute()
    const { data } = await app.visitor(signInSteps.step, { body: { state } })
    expect(dueOf(data).due).toBe('account')
    expect(dueOf(data).accounts.map(({ username }) => username)).toContain('teacher-second')
    const choose = (accountId: string) =>
      app.visitor(signInSteps.accountChoose, { query: { accountId, cid: state } })
    expect((await choose(foreign)).error).toBe('login.account_not_found')
    const answers = await Promise.all([choose(second.accountId), choose(second.accountId)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401])
  })
})
