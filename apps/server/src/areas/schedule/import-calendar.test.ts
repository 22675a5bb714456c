import { expect, test } from 'vitest'
import { runImport } from '#platform/import.ts'
import { listening, ownDatabase } from '../../../test/own-database.ts'
import { type CalendarSettings, importCalendar, readCalendar } from './import-calendar.ts'

const wrap = (...events: string[]) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n${events.join('')}END:VCALENDAR\r\n`
const event = (...lines: string[]) => `BEGIN:VEVENT\r\n${lines.join('\r\n')}\r\nEND:VEVENT\r\n`
const read = (text: string) => readCalendar(text, { from: 'x.ics', timeZone: 'Asia/Shanghai' })
const one = (...lines: string[]) => read(wrap(event('UID:1', 'SUMMARY:课', ...lines)))[0]

const weekly = event(
  'UID:w',
  'SUMMARY:例会',
  'DTSTART;TZID=China Standard Time:20261102T080000',
  'DTEND;TZID=China Standard Time:20261102T093000',
  'RRULE:FREQ=WEEKLY;COUNT=5',
  'EXDATE;TZID=China Standard Time:20261109T080000',
)
const moved = event(
  'UID:w',
  'RECURRENCE-ID;TZID=China Standard Time:20261116T080000',
  'SUMMARY:例会（改期）',
  'DTSTART;TZID=China Standard Time:20261117T140000',
  'DURATION:PT2H',
)
const dropped = event(
  'UID:w',
  'RECURRENCE-ID:20261123T000000Z',
  'SUMMARY:例会',
  'STATUS:CANCELLED',
  'DTSTART;TZID=China Standard Time:20261123T080000',
)
const holiday = event(
  'UID:h',
  'SUMMARY:寒假',
  'DTSTART;VALUE=DATE:20270118',
  'DTEND;VALUE=DATE:20270222',
)

test('a series comes in with its exceptions and its occurrences, once', async () => {
  const { url, db } = await ownDatabase()
  const settings: CalendarSettings = {
    from: 'x.ics',
    name: '校历',
    to: { rules: [{ effect: 'include', kind: 'everybody' }] },
    timeZone: 'Asia/Shanghai',
    now: new Date('2026-11-21T00:00:00Z'),
  }
  const calendar = (text: string, more: Partial<CalendarSettings> = {}, run = listening()) =>
    runImport(url, run, (importing) => importCalendar(importing, text, { ...settings, ...more }))
  const starts = async () =>
    (
      await db.selectFrom('event_occurrence').select('starts_at').orderBy('starts_at').execute()
    ).map((row) => row.starts_at)
  const text = wrap(weekly, moved, dropped, holiday)

  expect(await calendar(text, {}, listening({ dryRun: true }))).toMatchObject({
    added: 2,
    written: false,
  })
  expect(await db.selectFrom('calendar').selectAll().execute()).toEqual([])
  expect(await calendar(text)).toMatchObject({ added: 2, notes: ['calendar made: 校历'] })
  const written = [
    '2026-11-02T00:00:00.000Z',
    '2026-11-17T06:00:00.000Z',
    '2026-11-30T00:00:00.000Z',
    '2027-01-17T16:00:00.000Z',
  ]
  expect(await starts()).toEqual(written)
  expect(await calendar(text)).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
  expect(await starts()).toEqual(written)

  expect(await calendar(wrap(weekly, dropped, holiday))).toMatchObject({ changed: 1, unchanged: 1 })
  expect(await starts()).toContain('2026-11-16T00:00:00.000Z')
  expect((await calendar(wrap(holiday))).notes).toEqual([
    'kept, though the file has them no more: 1 (--prune takes them away)',
  ])
  expect((await calendar(wrap(holiday), { prune: true })).notes).toEqual([
    'taken away, because the file has them no more: 1',
  ])
  expect(await starts()).toEqual(['2027-01-17T16:00:00.000Z'])
  await expect(calendar(text, { to: { owner: 'nobody' } })).rejects.toThrow(
    'There is no account nobody.',
  )
  await expect(
    calendar(text, { to: { rules: [{ effect: 'include', kind: 'group', target: 'x' }] } }),
  ).rejects.toThrow('names the group x, which is not known here')
})

test.each([
  [
    'UTC, shown on the campus clock',
    ['DTSTART:20261121T003000Z', 'DTEND:20261121T013000Z'],
    { startsLocal: '2026-11-21T08:30:00', minutes: 60, timeZone: 'Asia/Shanghai' },
  ],
  [
    'UTC with a rule keeps UTC',
    ['DTSTART:20261121T003000Z', 'RRULE:FREQ=DAILY;COUNT=2'],
    { startsLocal: '2026-11-21T00:30:00', minutes: 0, timeZone: 'UTC' },
  ],
  [
    'a floating time',
    ['DTSTART:20261121T083000', 'DURATION:PT45M'],
    { startsLocal: '2026-11-21T08:30:00', minutes: 45, timeZone: 'Asia/Shanghai' },
  ],
  [
    'a zone by a path',
    [
      'DTSTART;TZID=/freeassociation.sourceforge.net/Tzfile/Europe/Berlin:20260329T010000',
      'DTEND;TZID=/freeassociation.sourceforge.net/Tzfile/Europe/Berlin:20260329T040000',
    ],
    { minutes: 120, timeZone: 'Europe/Berlin' },
  ],
  [
    'ends in another zone',
    ['DTSTART;TZID=Asia/Shanghai:20261121T080000', 'DTEND;TZID=Asia/Tokyo:20261121T100000'],
    { minutes: 60 },
  ],
  [
    'a whole day',
    ['DTSTART;VALUE=DATE:20261121'],
    { startsLocal: '2026-11-21T00:00:00', minutes: 1440, allDay: true },
  ],
  [
    'a folded text with escapes',
    ['DTSTART:20261121T083000', 'LOCATION:A楼\\, 10', ' 1室'],
    { location: 'A楼, 101室' },
  ],
])('%s', (_, lines, wanted) => {
  expect(one(...lines)?.event).toMatchObject(wanted)
})

test.each([
  ['no start', ['SUMMARY:x'], 'has no start'],
  [
    'an unknown zone',
    ['DTSTART;TZID=Mars/Olympus:20261121T080000'],
    'is in the time zone Mars/Olympus, which is not known here',
  ],
  ['backwards', ['DTSTART:20261121T080000', 'DTEND:20261121T070000'], 'ends before it starts'],
  ['a date out of time', ['DTSTART:00010101T080000'], 'which cannot be right'],
  [
    'far too long',
    ['DTSTART:20261121T080000', 'DTEND:20991121T070000'],
    'lasts longer than a year',
  ],
  [
    'two rules',
    ['DTSTART:20261121T080000', 'RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY'],
    'has several recurrence rules',
  ],
  [
    'a rule for no day',
    ['DTSTART:20261121T080000', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31;COUNT=1'],
    '',
  ],
])('%s is a fault of that event alone', (_, lines, sentence) => {
  const found = read(wrap(event('UID:1', ...lines), holiday))
  expect(found[0]?.event).toBeUndefined()
  expect(found[0]?.fault).toContain(sentence)
  expect(found[1]?.event).toMatchObject({ title: '寒假' })
})

test('dates beside a rule are events of their own', () => {
  const found = read(
    wrap(event('UID:r', 'DTSTART:20261121T080000', 'RDATE:20261124T080000,20261125T090000')),
  )
  expect(found.map((entry) => [entry.event?.uid, entry.event?.startsLocal])).toEqual([
    ['r', '2026-11-21T08:00:00'],
    ['r/2026-11-24T08:00:00', '2026-11-24T08:00:00'],
    ['r/2026-11-25T09:00:00', '2026-11-25T09:00:00'],
  ])
})

test('what is no calendar is refused in a sentence', () => {
  expect(() => read('hello')).toThrow('x.ics is not an iCalendar file')
})
