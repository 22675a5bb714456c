import type { CalendarImport } from '@atrium/contract/work/calendar-exchange'
import { schedule } from '@atrium/contract/work/schedule'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/test-app.ts'
import { readMemberFile, UnreadableFile } from './read-file.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
beforeEach(() => app.platform.db.deleteFrom('calendar').where('source', '=', 'own').execute())

const wrap = (...events: string[]) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n${events.join('')}END:VCALENDAR\r\n`
const event = (...lines: string[]) => `BEGIN:VEVENT\r\n${lines.join('\r\n')}\r\nEND:VEVENT\r\n`
const single = (uid: string, title = uid) =>
  event(`UID:${uid}`, `SUMMARY:${title}`, 'DTSTART:20310506T110000Z', 'DURATION:PT1H')

async function upload(
  content: string | Buffer,
  { query = '', language = 'zh', username = 'student' as string | null } = {},
) {
  const boundary = 'x0x0x'
  const payload = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.ics"\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const response = await app.app.inject({
    method: 'POST',
    url: `/schedule/api/v1/import${query}`,
    payload,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'accept-language': language,
      ...(username && { 'x-id-token': await app.tokenOf(username) }),
    },
  })
  const body = response.json()
  return { status: response.statusCode, error: body.error, data: body.data as CalendarImport }
}
const titlesOn = async (day: string, username: 'student' | 'teacher' = 'student') =>
  (
    await (
      await app.as(username)
    )(schedule.events, { query: { from: day, to: day } })
  ).data.list.map(({ title }) => title)

const weekly = event(
  'UID:w',
  'SUMMARY:例会',
  'DTSTART;TZID=China Standard Time:20310506T080000',
  'DURATION:PT1H',
  'RRULE:FREQ=WEEKLY;COUNT=3',
)
const bad = event('UID:b', 'SUMMARY:坏的', 'DTSTART;TZID=Nowhere/Land:20310506T080000')

test('a dry run previews the import, which changes only the own calendar, and importing twice changes nothing', async () => {
  const text = wrap(weekly, bad, single('s', '讲座'))
  /** Calendars and events other than those of the student's own calendar. */
  const others = async () => {
    const { rows } = await sql<{ text: string | null }>`
      with own as (select calendar.id from calendar join account on account.id = calendar.owner_account_id
        where account.username = 'student' and calendar.source = 'own')
      select (select md5(string_agg(calendar::text, ',' order by id)) from calendar where id not in (select id from own))
        || (select md5(string_agg(event::text, ',' order by id)) from event where calendar_id not in (select id from own))
        as text`.execute(app.platform.db)
    return rows[0]?.text
  }
  const before = await others()
  expect(before).toEqual(expect.any(String))
  const tried = await upload(text, { query: '?dryRun=1' })
  expect(tried).toMatchObject({
    status: 200,
    data: {
      written: false,
      added: 2,
      changed: 0,
      unchanged: 0,
      leftOut: 1,
      events: [
        { outcome: 'added', title: '例会', startsLocal: '2031-05-06T08:00:00' },
        { outcome: 'added', title: '讲座', startsLocal: '2031-05-06T19:00:00' },
      ],
      remarks: [
        {
          line: 11,
          title: '坏的',
          leftOut: true,
          reason: 'unknownZone',
          message: '时区 Nowhere/Land 无法识别',
        },
      ],
    },
  })
  expect(await titlesOn('2031-05-06')).toEqual([])
  expect((await upload(text)).data).toMatchObject({ written: true, added: 2 })
  expect(await titlesOn('2031-05-06')).toEqual(['例会', '讲座'])
  expect(await titlesOn('2031-05-13')).toEqual(['例会'])
  expect(await titlesOn('2031-05-06', 'teacher')).toEqual([])
  expect((await upload(text)).data).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
  const changed = await upload(wrap(single('s', '讲座（改）')), { language: 'en' })
  expect(changed.data).toMatchObject({ changed: 1, events: [{ title: '讲座（改）' }] })
  expect(await others()).toBe(before)
  const inEnglish = await upload(wrap(bad), { language: 'en' })
  expect(inEnglish.data.remarks[0]?.message).toBe('The time zone Nowhere/Land is not known.')
})

test('the same UID in another calendar is a separate event', async () => {
  await upload(wrap(single('s', '学生的')))
  await upload(wrap(single('s', '老师的')), { username: 'teacher' })
  expect(await titlesOn('2031-05-06')).toEqual(['学生的'])
  expect(await titlesOn('2031-05-06', 'teacher')).toEqual(['老师的'])
})

test('unreadable, empty, too large and unauthenticated uploads are rejected', async () => {
  expect(await upload('hello')).toMatchObject({ status: 422, error: 'import.unreadable' })
  expect(await upload('BEGIN:VCARD\r\nEND:VCARD\r\n')).toMatchObject({ error: 'import.unreadable' })
  expect(await upload(Buffer.from([0xff, 0, 0xfe, 0x80, 0x81]))).toMatchObject({
    error: 'import.unreadable',
  })
  expect(await upload('')).toMatchObject({ status: 400, error: 'file.empty' })
  expect(await upload('x'.repeat(5 * 1024 * 1024 + 1))).toMatchObject({
    status: 413,
    error: 'file.too_large',
  })
  const many = wrap(...Array.from({ length: 5001 }, () => 'BEGIN:VEVENT\r\nEND:VEVENT\r\n'))
  expect(await upload(many)).toMatchObject({ status: 413, error: 'import.too_many_events' })
  expect(await upload(wrap(weekly), { username: null })).toMatchObject({ status: 401 })
  expect(await upload(wrap(weekly), { query: '?dryRun=yes' })).toMatchObject({ status: 400 })
  const student = await app.as('student')
  const response = await student(
    { method: 'POST', path: '/schedule/api/v1/import', access: 'member' } as never,
    { body: {} },
  )
  expect(response.error).toBe('request.unsupported_media')
})

test('hostile files are imported with the invalid events left out', async () => {
  // An RDATE that gets the same UID as another event of the file.
  const twice = wrap(
    event(
      'UID:a',
      'SUMMARY:A',
      'DTSTART:20310506T110000Z',
      'DURATION:PT1H',
      'RDATE:20310507T110000Z',
    ),
    single('a/2031-05-07T11:00:00'),
    event('UID:n', 'SUMMARY:\0x', 'DTSTART:20310506T110000Z', 'DURATION:PT1H'),
    event('UID:d', 'SUMMARY:far', 'DTSTART:99991231T000000Z'),
    event('UID:r', 'SUMMARY:rule', 'DTSTART:20310506T110000Z', 'RRULE:FREQ=SOMETIMES'),
  )
  const { data } = await upload(twice, { language: 'en' })
  expect(data.remarks.map(({ title, reason }) => [title, reason])).toEqual([
    ['a/2031-05-07T11:00:00', 'older'],
    ['far', 'badDate'],
    ['rule', 'unreadable'],
  ])
  expect(await titlesOn('2031-05-07')).toContain('A')
})

test('files whose rules take too long to expand are rejected', async () => {
  const daily = Array.from({ length: 2000 }, (_, at) =>
    event(
      `UID:d${at}`,
      'SUMMARY:x',
      'DTSTART;TZID=Europe/Berlin:19900101T080000',
      `RRULE:FREQ=DAILY;COUNT=${20_000 + at}`,
    ),
  )
  await expect(readMemberFile(wrap(...daily), 'Asia/Shanghai')).rejects.toThrow(UnreadableFile)
}, 120_000)
