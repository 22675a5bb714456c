import { readFileSync } from 'node:fs'
import path from 'node:path'
import { caldav } from '@atrium/contract/work/calendar-exchange'
import { expect, test } from 'vitest'
import { testApp } from '../../../../test/test-app.ts'

type Calendar = { url: string; displayName?: string; syncToken?: string }
type CalendarObject = { url: string; etag?: string; data?: string }
type Client = {
  login: () => Promise<void>
  fetchCalendars: () => Promise<Calendar[]>
  fetchCalendarObjects: (of: { calendar: Calendar }) => Promise<CalendarObject[]>
  createCalendarObject: (of: {
    calendar: Calendar
    filename: string
    iCalString: string
  }) => Promise<Response>
  updateCalendarObject: (of: { calendarObject: CalendarObject }) => Promise<Response>
  deleteCalendarObject: (of: { calendarObject: CalendarObject }) => Promise<Response>
}
type Tsdav = { DAVClient: new (settings: object) => Client }

const manifest = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../../package.json'), 'utf8'),
) as { devDependencies: Record<string, string> }
/** A published client, where it is a dependency; it is named here alone, so that nothing needs it otherwise. */
const clients = ['tsdav'].filter((name) => name in manifest.devDependencies)

test('clients that are published are named once', () => {
  expect(new Set(clients).size).toBe(clients.length)
})

for (const name of clients)
  test(`${name} finds the calendars, writes, changes and deletes an event`, async () => {
    const { DAVClient } = (await import(name)) as Tsdav
    const { app, as, platform } = await testApp()
    const student = await as('student')
    await platform.db
      .updateTable('session')
      .set({ confirmed_at: new Date().toISOString() })
      .execute()
    const { data } = await student(caldav.create, { body: { name } })
    const serverUrl = await app.listen({ port: 0, host: '127.0.0.1' })
    const client = new DAVClient({
      serverUrl,
      credentials: { username: 'student', password: data.password },
      authMethod: 'Basic',
      defaultAccountType: 'caldav',
    })
    await client.login()
    const calendars = await client.fetchCalendars()
    const calendar = calendars.find(({ displayName }) => displayName === '我的日程')
    if (!calendar) throw new Error('the calendar that everybody has is not found')
    const filename = 'tsdav-1.ics'
    const text = (title: string) =>
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//tsdav//EN',
        'BEGIN:VEVENT',
        'UID:tsdav-1',
        'DTSTAMP:20310101T000000Z',
        'DTSTART:20310506T100000Z',
        'DTEND:20310506T110000Z',
        `SUMMARY:${title}`,
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n')
    const created = await client.createCalendarObject({
      calendar,
      filename,
      iCalString: text('one'),
    })
    expect(created.status).toBe(201)
    const find = async () =>
      (await client.fetchCalendarObjects({ calendar })).find(({ url }) => url.endsWith(filename))
    const object = await find()
    expect(object?.data).toContain('SUMMARY:one')
    if (!object) throw new Error('the event is not found')
    const changed = await client.updateCalendarObject({
      calendarObject: { ...object, data: text('two') },
    })
    expect(changed.ok).toBe(true)
    const after = await find()
    expect(after?.data).toContain('SUMMARY:two')
    expect((await client.deleteCalendarObject({ calendarObject: after ?? object })).ok).toBe(true)
    expect(await find()).toBeUndefined()
  })
