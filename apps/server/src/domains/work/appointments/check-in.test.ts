import { appointments, checkIn } from '@atrium/contract/work/appointments'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let staff: Caller
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
  staff = await app.as('staff')
})

let createdCount = 0
/** A meeting of the teacher with the student, this many hours from now. */
async function meeting(hours = 0, more: object = {}) {
  const starts = new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16)
  const { data } = await teacher(appointments.create, {
    body: {
      uid: `check-in-test-${String(++createdCount).padStart(4, '0')}`,
      title: '教研会',
      ...{ startsLocal: starts, minutes: 60, timeZone: 'Etc/UTC' },
      participants: [{ accountName: 'student' }],
      ...more,
    } as never,
  })
  return data.id
}
const read = (id: string, caller = teacher, startsAt?: string) =>
  caller(checkIn.read, { params: { id }, query: { ...(startsAt && { startsAt }) } })
const enter = (id: string, code: string, caller = student) =>
  caller(checkIn.enter, { params: { id }, body: { code } })

test('a participant checks in once with the code that the organiser shows', async () => {
  const id = await meeting()
  const shown = (await read(id)).data
  expect(shown).toMatchObject({ organises: true, invited: 1, people: [] })
  expect(shown.code).toMatch(/^\d{6}$/)
  expect((await read(id, student)).data).toMatchObject({
    ...{ organises: false, code: '', codeUntil: null, checkedInAt: null, people: [] },
  })
  const { data } = await enter(id, shown.code)
  expect((await enter(id, '000000')).data).toEqual(data)
  expect((await read(id, student)).data.checkedInAt).toBe(data.at)
  expect((await read(id)).data.people).toMatchObject([{ accountName: 'student', at: data.at }])
})

test('uninvited people cannot check in, and nobody can before or after the meeting', async () => {
  const id = await meeting()
  const { code } = (await read(id)).data
  for (const answer of [await read(id, staff), await enter(id, code, staff)])
    expect(answer.error).toBe('event.not_found')
  expect((await enter(id, code, app.visitor)).status).toBe(401)
  for (const hours of [3, -4]) {
    const other = await meeting(hours)
    expect((await read(other)).data.code).toBe('')
    expect((await enter(other, code)).error).toBe('event.check_in_closed')
  }
})

test('check-in at an all-day event is open on its days only', async () => {
  const day = new Date().toISOString().slice(0, 10)
  const id = await meeting(0, { allDay: true, startsLocal: `${day}T00:00`, minutes: 1440 })
  const { code, opensAt, closesAt } = (await read(id)).data
  expect(code).not.toBe('')
  expect(Date.parse(opensAt)).toBe(Date.parse(`${day}T00:00Z`))
  expect(Date.parse(closesAt) - Date.parse(opensAt)).toBe(24 * 3_600_000)
})

test('a wrong code is rejected, and ten wrong codes block check-in for a minute', async () => {
  const [id, other] = [await meeting(), await meeting()]
  const { code } = (await read(other)).data
  expect((await enter(id, code)).error).toBe('event.code_wrong')
  for (let at = 1; at < 10; at++) await enter(id, 'x')
  expect((await enter(id, (await read(id)).data.code)).status).toBe(429)
  await app.platform.db
    .updateTable('event_check_in')
    .set({ wrong_at: sql<string>`now() - interval '61 seconds'` })
    .where('event_id', '=', id)
    .execute()
  expect((await enter(id, (await read(id)).data.code)).status).toBe(200)
})
