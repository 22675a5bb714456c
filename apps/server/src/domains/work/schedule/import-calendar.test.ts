import { isTimeZone } from '@atrium/contract/config-checks'
import { expect, test } from 'vitest'
import { runImport } from '#platform/ingest/import.ts'
import { listening, ownDatabase } from '../../../../test/own-database.ts'
import { type CalendarSettings, importCalendar } from './import-calendar.ts'
import { readCalendar } from './read-calendar.ts'
import { outlookZones, windowsZones } from './windows-zones.ts'

const wrap = (...events: string[]) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n${events.join('')}END:VCALENDAR\r\n`
const event = (...lines: string[]) => `BEGIN:VEVENT\r\n${lines.join('\r\n')}\r\nEND:VEVENT\r\n`
const read = (text: string, note: (sentence: string) => void = () => {}) =>
  readCalendar(text, { from: 'x.ics', timeZone: 'Asia/Shanghai' }, note)
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

test('a series is imported once with its exceptions and occurrences', async () => {
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
  expect(await calendar(text)).toMatchObject({ added: 2, notes: ['calendar created: 校历'] })
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
    'kept, although they are no longer in the file: 1 (--prune deletes them)',
  ])
  expect((await calendar(wrap(holiday), { prune: true })).notes).toEqual([
    'deleted, because they are no longer in the file: 1',
  ])
  expect(await starts()).toEqual(['2027-01-17T16:00:00.000Z'])
  await expect(calendar(text, { to: { owner: 'nobody' } })).rejects.toThrow(
    'There is no account nobody.',
  )
  await expect(
    calendar(text, { to: { rules: [{ effect: 'include', kind: 'group', target: 'x' }] } }),
  ).rejects.toThrow('names the group x, which does not exist')
})

test.each([
  [
    'UTC in the campus time zone',
    ['DTSTART:20261121T003000Z', 'DTEND:20261121T013000Z'],
    { startsLocal: '2026-11-21T08:30:00', minutes: 60, timeZone: 'Asia/Shanghai' },
  ],
  [
    'UTC with a rule as UTC',
    ['DTSTART:20261121T003000Z', 'RRULE:FREQ=DAILY;COUNT=2'],
    { startsLocal: '2026-11-21T00:30:00', minutes: 0, timeZone: 'UTC' },
  ],
  [
    'a floating time in the campus time zone',
    ['DTSTART:20261121T083000', 'DURATION:PT45M'],
    { startsLocal: '2026-11-21T08:30:00', minutes: 45, timeZone: 'Asia/Shanghai' },
  ],
  [
    'a TZID with a path',
    [
      'DTSTART;TZID=/freeassociation.sourceforge.net/Tzfile/Europe/Berlin:20260329T010000',
      'DTEND;TZID=/freeassociation.sourceforge.net/Tzfile/Europe/Berlin:20260329T040000',
    ],
    { minutes: 120, timeZone: 'Europe/Berlin' },
  ],
  [
    'an end in another zone',
    ['DTSTART;TZID=Asia/Shanghai:20261121T080000', 'DTEND;TZID=Asia/Tokyo:20261121T100000'],
    { minutes: 60 },
  ],
  [
    'an all-day event',
    ['DTSTART;VALUE=DATE:20261121'],
    { startsLocal: '2026-11-21T00:00:00', minutes: 1440, allDay: true },
  ],
  [
    'a folded text with escapes',
    ['DTSTART:20261121T083000', 'LOCATION:A楼\\, 10', ' 1室'],
    { location: 'A楼, 101室' },
  ],
])('reads %s', (_, lines, wanted) => {
  expect(one(...lines)?.event).toMatchObject(wanted)
})

test.each([
  ['no start', ['SUMMARY:x'], 'has no start'],
  [
    'an unknown zone',
    ['DTSTART;TZID=Mars/Olympus:20261121T080000'],
    'is in the unknown time zone Mars/Olympus',
  ],
  [
    'an end before the start',
    ['DTSTART:20261121T080000', 'DTEND:20261121T070000'],
    'ends before it starts',
  ],
  ['an implausible date', ['DTSTART:00010101T080000'], 'has the invalid date'],
  [
    'a length over a year',
    ['DTSTART:20261121T080000', 'DTEND:20991121T070000'],
    'lasts longer than a year',
  ],
  [
    'two recurrence rules',
    ['DTSTART:20261121T080000', 'RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY'],
    'has several recurrence rules',
  ],
  [
    'an hourly rule for an all-day event',
    ['DTSTART;VALUE=DATE:20261121', 'RRULE:FREQ=HOURLY;COUNT=3'],
    'is an all-day event, but repeats within a day',
  ],
])('reports %s for that event only', (_, lines, sentence) => {
  const found = read(wrap(event('UID:1', ...lines), holiday))
  expect(found[0]?.event).toBeUndefined()
  expect(found[0]?.issue).toContain(sentence)
  expect(found[1]?.event).toMatchObject({ title: '寒假' })
})

test('RDATE dates become separate events', () => {
  const found = read(
    wrap(event('UID:r', 'DTSTART:20261121T080000', 'RDATE:20261124T080000,20261125T090000')),
  )
  expect(found.map((entry) => [entry.event?.uid, entry.event?.startsLocal])).toEqual([
    ['r', '2026-11-21T08:00:00'],
    ['r/2026-11-24T08:00:00', '2026-11-24T08:00:00'],
    ['r/2026-11-25T09:00:00', '2026-11-25T09:00:00'],
  ])
})

test('a file that is not a calendar is rejected with a message', () => {
  expect(() => read('hello')).toThrow('x.ics is not an iCalendar file')
})

test('RDATE dates can be changed, cancelled and excluded, and occur once', () => {
  const found = read(
    wrap(
      event(
        'UID:r',
        'SUMMARY:课',
        'DTSTART:20261102T080000',
        'DURATION:PT1H',
        'RRULE:FREQ=WEEKLY;COUNT=2',
        'RDATE:20261109T080000,20261124T080000,20261125T090000,20261126T080000',
        'RDATE;VALUE=PERIOD:20261127T080000/PT3H',
        'EXDATE:20261126T080000',
      ),
      event('UID:r', 'RECURRENCE-ID:20261124T080000', 'SUMMARY:改期', 'DTSTART:20261124T140000'),
      event(
        'UID:r',
        'RECURRENCE-ID:20261125T090000',
        'STATUS:CANCELLED',
        'DTSTART:20261125T090000',
      ),
    ),
  )
  expect(found.map((entry) => [entry.event?.title, entry.event?.startsLocal, entry.event?.minutes]))
    // The second Monday is both in the rule and an RDATE.
    .toEqual([
      ['课', '2026-11-02T08:00:00', 60],
      ['改期', '2026-11-24T14:00:00', 0],
      ['课', '2026-11-27T08:00:00', 180],
    ])
})

test('the highest SEQUENCE is used, the last if equal, and the others are reported', () => {
  const notes: string[] = []
  const version = (sequence: number, title: string, ...lines: string[]) =>
    event('UID:s', `SEQUENCE:${sequence}`, `SUMMARY:${title}`, 'DTSTART:20261102T080000', ...lines)
  const changed = 'RECURRENCE-ID:20261109T080000'
  const found = read(
    wrap(
      version(1, '一', 'RRULE:FREQ=WEEKLY;COUNT=3'),
      version(2, '二', 'RRULE:FREQ=WEEKLY;COUNT=3'),
      version(2, '三', 'RRULE:FREQ=WEEKLY;COUNT=3'),
      version(0, '四'),
      version(3, '甲', changed),
      version(2, '乙', changed),
    ),
    (note) => notes.push(note),
  )
  expect(found).toHaveLength(1)
  expect(found[0]?.event).toMatchObject({ title: '三', overrides: [{ title: '甲' }] })
  expect(notes).toEqual([
    'line 4: not used, because line 11 has a newer version of it',
    'line 11: not used, because line 18 has a newer version of it',
    'line 25: not used, because line 18 has a newer version of it',
    'line 38: not used, because line 31 has a newer version of it',
  ])
})

test('only the override with an issue is left out and reported with its line', () => {
  const found = read(
    wrap(
      weekly,
      event(
        'UID:w',
        'RECURRENCE-ID:20261130T000000Z',
        'SUMMARY:坏',
        'DTSTART;TZID=Mars/X:20261130T080000',
      ),
      event(
        'UID:w',
        'RECURRENCE-ID;RANGE=THISANDFUTURE:20261130T000000Z',
        'SUMMARY:后',
        'DTSTART:20261130T080000',
      ),
      moved,
    ),
  )
  expect(found.map(({ row, issue }) => [row, issue])).toEqual([
    [4, undefined],
    [18, '(后) changes an occurrence “and all following”, which is not supported'],
    [12, '(坏) is in the unknown time zone Mars/X'],
  ])
  expect(found[0]?.event?.overrides).toHaveLength(1)
})

test('only the EXDATE or RDATE with an issue is left out', () => {
  const found = read(
    wrap(
      event(
        'UID:x',
        'DTSTART:20261102T080000',
        'RRULE:FREQ=DAILY;COUNT=3',
        'EXDATE;TZID=Mars/X:20261103T080000',
        'RDATE;TZID=Mars/X:20261203T080000',
      ),
    ),
  )
  expect(found[0]?.event?.rrule).toBe('FREQ=DAILY;COUNT=3')
  expect(found.slice(1).map(({ row, issue }) => [row, issue])).toEqual([
    [4, '(x) is in the unknown time zone Mars/X'],
    [4, '(x) is in the unknown time zone Mars/X'],
  ])
})

test('an override of a nonexistent occurrence becomes a separate event', () => {
  const found = read(
    wrap(
      weekly,
      event('UID:w', 'RECURRENCE-ID:20261201T000000Z', 'SUMMARY:加课', 'DTSTART:20261201T140000'),
    ),
  )
  expect(found.map((entry) => entry.event?.title)).toEqual(['例会', '加课'])
})

const summerZone = (...more: string[]) =>
  [
    'BEGIN:VTIMEZONE',
    'TZID:Campus',
    'BEGIN:STANDARD',
    'DTSTART:20001105T030000',
    'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
    'TZOFFSETFROM:+0615',
    'TZOFFSETTO:+0515',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:20000402T020000',
    'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU',
    'TZOFFSETFROM:+0515',
    'TZOFFSETTO:+0615',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
    ...more,
  ].join('\r\n')

test('a custom time zone is read from its VTIMEZONE', async () => {
  const { url, db } = await ownDatabase()
  const text = wrap(
    `${summerZone()}\r\n`,
    event(
      'UID:one',
      'SUMMARY:一',
      'DTSTART;TZID=Campus:20270110T080000',
      'DTEND;TZID=Campus:20270110T090000',
    ),
    event(
      'UID:all',
      'SUMMARY:二',
      'DTSTART;TZID=Campus:20270329T080000',
      'RRULE:FREQ=WEEKLY;UNTIL=20270412T021500Z',
      'EXDATE;TZID=Campus:20270412T080000',
    ),
    event(
      'UID:all',
      'SUMMARY:三',
      'RECURRENCE-ID:20270405T014500Z',
      'DTSTART:20270405T014500Z',
      'DURATION:PT1H',
    ),
  )
  const report = await runImport(url, listening(), (run) =>
    importCalendar(run, text, {
      from: 'x.ics',
      name: 'x',
      to: { rules: [{ effect: 'include', kind: 'everybody' }] },
      timeZone: 'Asia/Shanghai',
      now: new Date('2026-11-21T00:00:00Z'),
    }),
  )
  expect(report).toMatchObject({ added: 2, skipped: 0 })
  const rows = await db
    .selectFrom('event_occurrence')
    .innerJoin('event', 'event.id', 'event_id')
    .select(['title', 'event_occurrence.starts_at', 'event_occurrence.ends_at'])
    .orderBy('event_occurrence.starts_at')
    .execute()
  expect(rows).toEqual([
    // UTC+5:15 in winter, UTC+6:15 in summer.
    { title: '一', starts_at: '2027-01-10T02:45:00.000Z', ends_at: '2027-01-10T03:45:00.000Z' },
    { title: '二', starts_at: '2027-03-29T02:45:00.000Z', ends_at: '2027-03-29T02:45:00.000Z' },
    { title: '二', starts_at: '2027-04-05T01:45:00.000Z', ends_at: '2027-04-05T02:45:00.000Z' },
  ])
  const again = await runImport(url, listening(), (run) =>
    importCalendar(run, text, {
      from: 'x.ics',
      name: 'x',
      to: { rules: [{ effect: 'include', kind: 'everybody' }] },
      timeZone: 'Asia/Shanghai',
      now: new Date('2026-11-21T00:00:00Z'),
    }),
  )
  expect(again).toMatchObject({ unchanged: 2, changed: 0 })
})

test.each([
  ['(UTC+08:00) Beijing, Chongqing, Hong Kong, Urumqi', 'Asia/Shanghai'],
  ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Europe/Berlin'],
  ['(GMT-05:00) Eastern Time (US & Canada)', 'America/New_York'],
  ['(UTC) Coordinated Universal Time', 'UTC'],
  ['Tasmania Standard Time', 'Australia/Hobart'],
])('the Outlook zone %s is mapped to %s', (tzid, timeZone) => {
  const found = read(
    wrap(event('UID:1', `DTSTART;TZID="${tzid}":20261121T080000`, 'RRULE:FREQ=DAILY')),
  )
  expect(found[0]?.event?.timeZone).toBe(timeZone)
})

test('every Outlook zone is mapped to a known time zone', () => {
  for (const zone of [...Object.values(windowsZones), ...Object.values(outlookZones)])
    expect(isTimeZone(zone), zone).toBe(true)
})

test('a daily series that began twenty years ago has an occurrence today', async () => {
  const { url, db } = await ownDatabase()
  const report = await runImport(url, listening(), (run) =>
    importCalendar(
      run,
      wrap(
        event(
          'UID:d',
          'SUMMARY:早操',
          'DTSTART:20050103T063000',
          'DURATION:PT30M',
          'RRULE:FREQ=DAILY',
        ),
      ),
      {
        from: 'x.ics',
        name: 'x',
        to: { rules: [{ effect: 'include', kind: 'everybody' }] },
        timeZone: 'Asia/Shanghai',
        now: new Date('2026-11-21T00:00:00Z'),
      },
    ),
  )
  expect(report.notes.join()).toMatch(/line 4: “早操” repeats so often/)
  const today = await db
    .selectFrom('event_occurrence')
    .select('starts_at')
    .where('starts_at', '=', '2026-11-20T22:30:00Z')
    .execute()
  expect(today).toHaveLength(1)
})
