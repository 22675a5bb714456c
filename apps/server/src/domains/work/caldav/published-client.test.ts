import { caldav } from '@atrium/contract/work/calendar-exchange'
import { CalDAVClient } from 'ts-caldav'
import { DAVClient } from 'tsdav'
import { beforeAll, expect, test } from 'vitest'
import { testApp } from '../../../../test/test-app.ts'

let serverUrl: string
let password: string
beforeAll(async () => {
  const { app, as, platform } = await testApp()
  const student = await as('student')
  await platform.db.updateTable('session').set({ confirmed_at: new Date().toISOString() }).execute()
  password = (await student(caldav.create, { body: { name: 'clients' } })).data.password
  serverUrl = await app.listen({ port: 0, host: '127.0.0.1' })
})

const own = '我的日程'
const eventText = (title: string) =>
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

test('tsdav finds the calendars, and creates, updates, syncs and deletes an event', async () => {
  const client = new DAVClient({
    serverUrl,
    credentials: { username: 'student', password },
    authMethod: 'Basic',
    defaultAccountType: 'caldav',
  })
  await client.login()
  const calendar = (await client.fetchCalendars()).find(({ displayName }) => displayName === own)
  if (!calendar) throw new Error('the calendar that everybody has is not found')
  const filename = 'tsdav-1.ics'
  const created = await client.createCalendarObject({
    calendar,
    filename,
    iCalString: eventText('one'),
  })
  expect(created.status).toBe(201)
  const find = async () =>
    (await client.fetchCalendarObjects({ calendar })).find(({ url }) => url.endsWith(filename))
  const object = await find()
  expect(object?.data).toContain('SUMMARY:one')
  if (!object) throw new Error('the event is not found')
  // A change based on an outdated version is refused.
  const stale = await client.updateCalendarObject({
    calendarObject: { ...object, etag: '"older"', data: eventText('lost') },
  })
  expect(stale.status).toBe(412)
  const changed = await client.updateCalendarObject({
    calendarObject: { ...object, data: eventText('two') },
  })
  expect(changed.ok).toBe(true)
  const after = await find()
  expect(after?.data).toContain('SUMMARY:two')
  const synced = await client.smartCollectionSync({
    collection: {
      ...calendar,
      objects: [object],
      objectMultiGet: client.calendarMultiGet.bind(client),
    },
    method: 'webdav',
    detailedResult: true,
  })
  expect(synced.objects.updated.map(({ url }) => url)).toEqual([object.url])
  expect((await client.deleteCalendarObject({ calendarObject: after ?? object })).ok).toBe(true)
  expect(await find()).toBeUndefined()
})

test('ts-caldav finds the calendars, and creates, updates and deletes a weekly event', async () => {
  const client = await CalDAVClient.create({
    baseUrl: serverUrl,
    auth: { type: 'basic', username: 'student', password },
  })
  const calendar = (await client.getCalendars()).find(({ displayName }) => displayName === own)
  if (!calendar) throw new Error('the calendar that everybody has is not found')
  const span = { start: new Date('2031-05-01T00:00:00Z'), end: new Date('2031-06-01T00:00:00Z') }
  const { uid, etag } = await client.createEvent(calendar.url, {
    summary: '组会',
    start: new Date('2031-05-06T02:00:00Z'),
    end: new Date('2031-05-06T03:00:00Z'),
    recurrenceRule: { freq: 'WEEKLY', count: 3 },
  })
  expect(etag).not.toBe('')
  const find = async () =>
    (await client.getEvents(calendar.url, span)).find((event) => event.uid === uid)
  const event = await find()
  expect(event).toMatchObject({ summary: '组会', recurrenceRule: { freq: 'WEEKLY', count: 3 } })
  if (!event) throw new Error('the event is not found')
  await client.updateEvent(calendar.url, { ...event, summary: '组会（改）' })
  const changed = await find()
  expect(changed?.summary).toBe('组会（改）')
  await client.deleteEvent(calendar.url, uid, changed?.etag)
  expect(await find()).toBeUndefined()
})
