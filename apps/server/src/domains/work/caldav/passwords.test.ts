import { caldav, maxAppPasswords } from '@atrium/contract/work/calendar-exchange'
import { calendars } from '@atrium/contract/work/calendars'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type Caller, demoPassword, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let student: Caller
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
})
beforeEach(async () => {
  await app.platform.db.deleteFrom('caldav_password').execute()
  await app.platform.db.deleteFrom('login_throttle').execute()
})

const confirm = (at: Date) =>
  app.platform.db.updateTable('session').set({ confirmed_at: at.toISOString() }).execute()
async function newPassword(name = '手机') {
  await confirm(new Date())
  return (await student(caldav.create, { body: { name } })).data
}
const authenticate = (username: string, password: string, from = '10.2.2.2') =>
  app.app.inject({
    method: 'OPTIONS',
    url: '/caldav/',
    remoteAddress: from,
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    },
  })

test('an app password is shown once, stored as a hash and valid until it is revoked', async () => {
  const { id, password } = await newPassword('  小明的手机 ')
  expect(password).toMatch(/^([a-z2-9]{4}-){5}[a-z2-9]{4}$/)
  const before = (await student(caldav.list)).data
  expect(before).toMatchObject({
    server: expect.stringMatching(/\/caldav\/$/),
    username: 'student',
    passwords: [{ id, name: '小明的手机', lastUsedAt: null }],
  })
  const rows = JSON.stringify(
    await app.platform.db.selectFrom('caldav_password').selectAll().execute(),
  )
  expect(rows).toContain('$argon2id$')
  expect(rows).not.toContain(password.replaceAll('-', '').slice(4))

  expect((await authenticate('student', password)).statusCode).toBe(200)
  // Typed with capitals and spaces.
  expect(
    (await authenticate('Student', password.toUpperCase().replaceAll('-', ' '))).statusCode,
  ).toBe(200)
  expect((await student(caldav.list)).data.passwords[0]?.lastUsedAt).not.toBeNull()
  const teacher = await app.as('teacher')
  expect(await teacher(caldav.remove, { params: { id } })).toMatchObject({
    error: 'app_password.not_found',
  })
  expect((await student(caldav.remove, { params: { id } })).status).toBe(200)
  expect((await authenticate('student', password)).statusCode).toBe(401)
})

test('an app password gives access to CalDAV only, and the portal password does not', async () => {
  const { password } = await newPassword()
  const [caller] = [app.withToken(password)]
  expect((await caller(calendars.list)).status).toBe(401)
  const basic = `Basic ${Buffer.from(`student:${password}`).toString('base64')}`
  const portal = await app.app.inject({
    url: calendars.list.path,
    headers: { authorization: basic },
  })
  expect(portal.statusCode).toBe(401)
  expect((await authenticate('student', demoPassword)).statusCode).toBe(401)
  expect((await authenticate('teacher', password)).statusCode).toBe(401)
})

test('app passwords need a fresh sign-in, notify the member and are limited in number', async () => {
  await confirm(new Date(Date.now() - 3600_000))
  expect(await student(caldav.create, { body: { name: 'x' } })).toMatchObject({
    status: 403,
    error: 'session.confirmation_due',
  })
  await newPassword()
  const told = await app.platform.db
    .selectFrom('outbox')
    .select('body')
    .where('body', 'like', '%日历专用密码%')
    .execute()
  expect(told.length).toBeGreaterThan(0)
  for (let at = 1; at < maxAppPasswords; at++) await newPassword(`${at}`)
  expect(await student(caldav.create, { body: { name: 'x' } })).toMatchObject({
    error: 'app_password.too_many',
  })
})

test('wrong passwords are throttled without blocking clients that signed in before', async () => {
  const { password } = await newPassword()
  expect((await authenticate('student', password)).statusCode).toBe(200)
  const wrong = `${password.slice(0, 4)}-${'x'.repeat(20)}`
  const codes: number[] = []
  for (let at = 0; at < 7; at++) codes.push((await authenticate('student', wrong)).statusCode)
  expect(codes.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
  const blocked = await authenticate('student', wrong)
  expect(blocked.statusCode).toBe(429)
  expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0)
  expect((await authenticate('student', password)).statusCode).toBe(200)
  // Guesses with an unknown selector are counted separately.
  const other = await newPassword('平板')
  for (let at = 0; at < 7; at++) await authenticate('student', 'z'.repeat(24))
  expect((await authenticate('student', other.password, '10.3.3.3')).statusCode).toBe(200)
})

test('app passwords of a disabled account are rejected', async () => {
  const { password } = await newPassword()
  const set = (status: string) =>
    app.platform.db
      .updateTable('account')
      .set({ status })
      .where('username', '=', 'student')
      .execute()
  expect((await authenticate('student', password)).statusCode).toBe(200)
  await set('disabled')
  expect((await authenticate('student', password)).statusCode).toBe(401)
  await set('active')
  expect((await authenticate('student', password)).statusCode).toBe(200)
})
