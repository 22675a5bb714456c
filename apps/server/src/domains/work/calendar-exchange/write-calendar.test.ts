import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCalendar } from '#domains/work/schedule/read-calendar.ts'
import type { CalendarEvent } from '#domains/work/schedule/read-vevent.ts'
import { expand } from '#domains/work/schedule/recurrence.ts'
import { type WrittenEvent, writeCalendar } from './write-calendar.ts'

const now = Temporal.Instant.from('2026-11-25T00:00:00Z')
const own = 'Asia/Shanghai'
const plain: WrittenEvent = {
  uid: 'evt-1@m.example.edu.cn',
  title: '高等数学',
  location: '',
  person: '',
  description: '',
  startsLocal: '2026-03-02T08:00:00',
  minutes: 95,
  allDay: false,
  timeZone: own,
  zoneDefinition: null,
  rrule: '',
  excludedLocal: [],
  overrides: [],
  updatedAt: '2026-01-01T00:00:00.000Z',
  calendarName: '',
  url: '',
  busy: true,
  point: null,
}
const write = (...events: Partial<WrittenEvent>[]) =>
  writeCalendar(
    events.map((event) => ({ ...plain, ...event })),
    { name: '我的日程', timeZone: own, now },
  )
const read = (text: string) =>
  readCalendar(text, { from: 'x.ics', timeZone: own }, () => {}).map(({ event, issue }) => {
    expect(issue).toBeUndefined()
    return event as CalendarEvent
  })
const spansOf = (event: CalendarEvent) =>
  expand(event, now).spans.map(({ startsAt, endsAt }) => `${startsAt}/${endsAt}`)

test('a series is written with its zone, exceptions and changed occurrences', async () => {
  const text = await write({
    location: '教1-101, 东区',
    person: '王老师',
    rrule: 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20260629',
    excludedLocal: ['2026-04-06T08:00:00'],
    overrides: [
      {
        originalLocal: '2026-04-13T08:00:00',
        startsLocal: '2026-04-14T08:00:00',
        minutes: 45,
        title: '高等数学（调课）',
        location: null,
      },
    ],
  })
  const unfolded = text.replaceAll('\r\n ', '')
  for (const line of [
    'METHOD:PUBLISH',
    'X-WR-CALNAME:我的日程',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'TZID:Asia/Shanghai',
    'DTSTAMP:20260101T000000Z',
    'DTSTART;TZID=Asia/Shanghai:20260302T080000',
    'DTEND;TZID=Asia/Shanghai:20260302T093500',
    // A UNTIL date means the end of that day in the zone of the series.
    'RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260629T155959Z',
    'EXDATE;TZID=Asia/Shanghai:20260406T080000',
    'RECURRENCE-ID;TZID=Asia/Shanghai:20260413T080000',
    'SUMMARY:高等数学（调课）',
    'LOCATION:教1-101\\, 东区',
    'ORGANIZER;CN=王老师:invalid:nomail',
  ])
    expect(unfolded.split('\r\n')).toContain(line)
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
})

test('all-day events end on the day after the last, and their UNTIL is a date', async () => {
  const text = await write({
    startsLocal: '2026-10-01T00:00:00',
    minutes: 3 * 24 * 60,
    allDay: true,
    rrule: 'FREQ=YEARLY;UNTIL=20301001T000000Z',
    excludedLocal: ['2027-10-01T00:00:00'],
  })
  for (const line of [
    'DTSTART;VALUE=DATE:20261001',
    'DTEND;VALUE=DATE:20261004',
    'EXDATE;VALUE=DATE:20271001',
    'RRULE:FREQ=YEARLY;UNTIL=20301001',
  ])
    expect(text.split('\r\n')).toContain(line)
  expect(text).not.toContain('VTIMEZONE')
})

test('text is escaped, and no line is longer than 75 octets', async () => {
  const text = await write({
    title: `${'课👩‍🏫'.repeat(60)}\r\nEND:VEVENT\nBEGIN:VALARM`,
    location: 'a\\b;c,d\0\x07',
    person: '"x"\nATTENDEE:mailto:x',
    uid: 'a\r\nX-EVIL:1',
  })
  expect(text.split('\r\n').filter((line) => /^(X-EVIL|ATTENDEE|BEGIN:VALARM)/.test(line))).toEqual(
    [],
  )
  for (const line of text.split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(line).not.toContain('\uFFFD')
  }
  expect(read(text)[0]?.location).toBe('a\\b;c,d')
})

test('custom time zones are written as read, and equal names are kept apart', async () => {
  const definition = (offset: string) =>
    [
      'BEGIN:VTIMEZONE',
      'TZID:Campus',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      `TZOFFSETFROM:${offset}`,
      `TZOFFSETTO:${offset}`,
      'END:STANDARD',
      'END:VTIMEZONE',
    ].join('\r\n')
  const events = ['+0830', '+0545'].map((offset) => ({
    ...plain,
    uid: offset,
    zoneDefinition: definition(offset),
    rrule: 'FREQ=DAILY;COUNT=3',
  }))
  const back = read(await write(...events))
  expect(back.map(spansOf)).toEqual(events.map(spansOf))
})

test('VTIMEZONE contains the clock changes for programs without time zone data', async () => {
  const text = await write({ timeZone: 'Europe/Berlin', rrule: 'FREQ=WEEKLY' })
  const renamed = text.replaceAll('Europe/Berlin', 'Somewhere')
  const weeks = (event: CalendarEvent | undefined) => event && spansOf(event).slice(0, 150)
  expect(weeks(read(renamed)[0])).toEqual(weeks(read(text)[0]))
})

const zones = [
  own,
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
]
const words = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: iCalendar cannot carry them
  text.replaceAll(/[\0-\x08\x0b-\x1f\x7f]/g, '').trim(),
)
const local = fc
  .tuple(fc.integer({ min: 0, max: 365 * 3 }), fc.integer({ min: 0, max: 24 * 12 - 1 }))
  .map(([day, five]) =>
    Temporal.PlainDateTime.from('2025-01-01T00:00:00')
      .add({ days: day, minutes: five * 5 })
      .toString({ smallestUnit: 'second' }),
  )
const rule = fc.oneof(
  fc.constant(''),
  fc
    .tuple(
      fc.constantFrom(
        'FREQ=DAILY',
        'FREQ=WEEKLY;BYDAY=MO,TH',
        'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,TU',
        'FREQ=MONTHLY;BYDAY=-1FR',
        'FREQ=MONTHLY;BYMONTHDAY=31',
        'FREQ=YEARLY',
      ),
      fc.constantFrom(';COUNT=7', ';UNTIL=20271231', ';UNTIL=20271231T100000Z', ''),
    )
    .map((parts) => parts.join('')),
)
const anyEvent = fc
  .record({
    startsLocal: local,
    minutes: fc.integer({ min: 0, max: 3000 }),
    allDay: fc.boolean(),
    timeZone: fc.constantFrom(...zones),
    rrule: rule,
    title: words.filter((text) => text !== ''),
    location: words,
    description: words,
    person: words.map((text) => text.replaceAll(/[\s"]+/g, ' ').trim()),
    excluded: fc.array(fc.nat(20), { maxLength: 3 }),
    moved: fc.array(fc.tuple(fc.nat(20), local, fc.integer({ min: 0, max: 600 }), words), {
      maxLength: 3,
    }),
  })
  .map(({ excluded, moved, ...facts }): WrittenEvent => {
    const day = facts.allDay
      ? {
          startsLocal: `${facts.startsLocal.slice(0, 10)}T00:00:00`,
          minutes: (1 + (facts.minutes % 5)) * 24 * 60,
          // All-day events have no zone in a file.
          timeZone: own,
        }
      : {}
    const event = { ...plain, ...facts, ...day }
    if (!event.rrule) return event
    const starts = expand(event, now).spans.map(({ originalLocal }) => originalLocal)
    const excludedLocal = [...new Set(excluded.flatMap((at) => starts[at] ?? []))].sort()
    const overrides = moved.flatMap(([at, startsLocal, minutes, title]) => {
      const originalLocal = starts[at]
      if (!originalLocal || excludedLocal.includes(originalLocal)) return []
      const changed = { originalLocal, startsLocal, minutes, title: title || null, location: null }
      return [
        event.allDay
          ? { ...changed, minutes: 24 * 60, startsLocal: `${startsLocal.slice(0, 10)}T00:00:00` }
          : changed,
      ]
    })
    const byOriginal = new Map(overrides.map((override) => [override.originalLocal, override]))
    return { ...event, excludedLocal, overrides: [...byOriginal.values()] }
  })

test('a written event is read again with the same occurrences', async () => {
  await fc.assert(
    fc.asyncProperty(anyEvent, async (event) => {
      const text = await write(event)
      for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThan(76)
      const back = read(text)
      expect(back).toHaveLength(1)
      const [again] = back as [CalendarEvent]
      expect(spansOf(again)).toEqual(spansOf(event))
      const { title, location, description, person } = event
      expect(again).toMatchObject({ uid: plain.uid, title, location, description, person })
    }),
    { numRuns: 60, endOnFailure: true },
  )
}, 120_000)
