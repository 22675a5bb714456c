import { RRuleTemporal } from 'rrule-temporal'
import { describe, expect, test, vi } from 'vitest'
import { expand, type Series } from './recurrence.ts'
import cases from './recurrence-cases.json' with { type: 'json' }

const series = (part: Partial<Series>): Series => ({
  startsLocal: '2026-09-07T08:00:00',
  minutes: 95,
  allDay: false,
  timeZone: 'Asia/Shanghai',
  rrule: '',
  excludedLocal: [],
  overrides: [],
  ...part,
})
const today = Temporal.Instant.from('2026-09-01T00:00:00Z')
const starts = (part: Partial<Series>) =>
  expand(series(part), today).spans.map((span) => span.startsAt)

describe('expand', () => {
  test('returns one span in UTC for a single event', () => {
    expect(expand(series({}), today)).toEqual({
      cut: false,
      until: null,
      spans: [
        {
          originalLocal: '2026-09-07T08:00:00',
          startsAt: '2026-09-07T00:00:00.000Z',
          endsAt: '2026-09-07T01:35:00.000Z',
        },
      ],
    })
  })

  test('repeats weekly up to COUNT', () => {
    const found = starts({ rrule: 'FREQ=WEEKLY;COUNT=16' })
    expect(found).toHaveLength(16)
    expect(found[15]).toBe('2026-12-21T00:00:00.000Z')
  })

  test('repeats every second week', () => {
    expect(starts({ rrule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=3' })).toEqual([
      '2026-09-07T00:00:00.000Z',
      '2026-09-21T00:00:00.000Z',
      '2026-10-05T00:00:00.000Z',
    ])
  })

  test.each([
    ['an instant', 'UNTIL=20260921T000000Z'],
    ['a day', 'UNTIL=20260921'],
    ['a local time', 'UNTIL=20260921T080000'],
  ])('includes UNTIL given as %s', (_, end) => {
    expect(starts({ rrule: `FREQ=WEEKLY;${end}` })).toHaveLength(3)
  })

  test('keeps the local time across a daylight saving change', () => {
    const found = starts({
      startsLocal: '2026-03-01T09:00:00',
      timeZone: 'America/New_York',
      rrule: 'FREQ=WEEKLY;COUNT=2',
    })
    expect(found).toEqual(['2026-03-01T14:00:00.000Z', '2026-03-08T13:00:00.000Z'])
  })

  test('ends an all-day event with its day, also when that has 23 hours', () => {
    const { spans } = expand(
      series({
        startsLocal: '2026-03-08T00:00:00',
        minutes: 1440,
        allDay: true,
        timeZone: 'America/New_York',
      }),
      today,
    )
    expect(spans[0]).toMatchObject({
      startsAt: '2026-03-08T05:00:00.000Z',
      endsAt: '2026-03-09T04:00:00.000Z',
    })
  })

  test('applies excluded and moved occurrences', () => {
    const { spans } = expand(
      series({
        rrule: 'FREQ=WEEKLY;COUNT=3',
        excludedLocal: ['2026-09-14T08:00:00'],
        overrides: [
          { originalLocal: '2026-09-21T08:00:00', startsLocal: '2026-09-22T14:00:00', minutes: 60 },
        ],
      }),
      today,
    )
    expect(spans).toEqual([
      expect.objectContaining({ startsAt: '2026-09-07T00:00:00.000Z' }),
      {
        originalLocal: '2026-09-21T08:00:00',
        startsAt: '2026-09-22T06:00:00.000Z',
        endsAt: '2026-09-22T07:00:00.000Z',
      },
    ])
  })

  test('stops an endless rule three years ahead and returns the date', () => {
    const { spans, until } = expand(series({ rrule: 'FREQ=WEEKLY' }), today)
    expect(spans).toHaveLength(157)
    expect(until).toBe('2029-09-07T00:00:00.000Z')
  })

  test('expands a rule that begins or ends far ahead', () => {
    const farAhead = { startsLocal: '2040-01-02T08:00:00' }
    expect(starts({ ...farAhead, rrule: 'FREQ=WEEKLY;COUNT=3' })).toHaveLength(3)
    expect(starts({ ...farAhead, rrule: 'FREQ=WEEKLY;UNTIL=20400116' })).toHaveLength(3)
    expect(starts({ ...farAhead, rrule: 'FREQ=WEEKLY' })).toHaveLength(157)
  })

  test.each([
    ['daily since 2005', '2005-01-03T08:00:00', 'FREQ=DAILY', 1000 + 3 * 365 + 1],
    ['daily since 2005, until 2100', '2005-01-03T08:00:00', 'FREQ=DAILY;UNTIL=21000101', 3000],
    ['daily, ten thousand times', '2005-01-03T08:00:00', 'FREQ=DAILY;COUNT=10000', 2000 + 1000],
    ['hourly since 1990', '1990-01-01T08:00:00', 'FREQ=HOURLY', 3000],
    ['every minute since 1990', '1990-01-01T08:00:00', 'FREQ=MINUTELY', 3000],
    ['twice a day since 1990', '1990-01-01T08:00:00', 'FREQ=DAILY;BYHOUR=8,20', 3000],
    ['on a day of the year since 1900', '1900-01-01T08:00:00', 'FREQ=YEARLY;BYYEARDAY=1', 130],
  ])('limits %s to occurrences around today', (_, startsLocal, rrule, max) => {
    const { spans, until } = expand(series({ startsLocal, rrule }), today)
    expect(spans.length).toBeLessThanOrEqual(max)
    const ahead = spans.findIndex((span) => span.startsAt >= '2026-09-01')
    expect(ahead).toBe(Math.min(1000, rrule.includes('YEARLY') ? 127 : 1000))
    expect(spans[ahead]?.startsAt.slice(0, 10)).toBe(
      rrule.includes('YEARLY') ? '2027-01-01' : '2026-09-01',
    )
    // The daily job continues from there.
    if (spans.length === 3000 && !rrule.includes('COUNT')) expect(until).not.toBeNull()
  })

  test.each([
    ['since 1900', '1900-01-01T08:00:00', 'FREQ=DAILY'],
    ['until 2199', '2026-09-07T08:00:00', 'FREQ=DAILY;UNTIL=21990101'],
    ['on all weekdays since 1900', '1900-01-01T08:00:00', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU'],
  ])('does not list every date of a daily rule %s', (_, startsLocal, rrule) => {
    const between = vi.spyOn(RRuleTemporal.prototype, 'between')
    const { spans, cut } = expand(series({ startsLocal, rrule }), today)
    const listed = between.mock.results.reduce((sum, { value }) => sum + value.length, 0)
    between.mockRestore()
    expect(cut).toBe(true)
    expect(spans.length).toBeGreaterThanOrEqual(2000)
    expect(listed).toBeLessThan(10_000)
  })

  test('keeps every date of a rare rule that began long ago', () => {
    const yearly = starts({ startsLocal: '1950-02-28T08:00:00', rrule: 'FREQ=YEARLY' })
    expect(yearly.slice(0, 2).map((at) => at.slice(0, 4))).toEqual(['1950', '1951'])
    expect(yearly).toHaveLength(80)
    const monthly = 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'
    const lastWorkdays = starts({ startsLocal: '1980-01-31T08:00:00', rrule: monthly })
    expect(lastWorkdays).toHaveLength(12 * (2029 - 1980) + 8)
    expect(new Set(lastWorkdays.map((at) => at.slice(0, 7))).size).toBe(lastWorkdays.length)
  })

  test('cuts a rule with too many occurrences and returns the date', () => {
    const { spans, until } = expand(series({ rrule: 'FREQ=MINUTELY;COUNT=100000' }), today)
    expect(spans).toHaveLength(2000)
    expect(until).toBe('2026-09-08T09:20:00.000Z')
  })

  test('includes the start even if the rule does not', () => {
    // Starts on a Monday, with a rule for Tuesdays.
    expect(starts({ rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=3' })).toEqual([
      '2026-09-07T00:00:00.000Z',
      '2026-09-08T00:00:00.000Z',
      '2026-09-15T00:00:00.000Z',
    ])
    expect(starts({ rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31;COUNT=2' })).toHaveLength(1)
  })

  test('ignores the time of day in the rule of an all-day event', () => {
    const days = { startsLocal: '2026-09-07T00:00:00', allDay: true, minutes: 1440 }
    for (const part of ['BYMINUTE=0,30', 'BYHOUR=9,15', 'BYHOUR=9;BYMINUTE=15;BYSECOND=5'])
      expect(starts({ ...days, rrule: `FREQ=DAILY;${part};COUNT=2` })).toEqual([
        '2026-09-06T16:00:00.000Z',
        '2026-09-07T16:00:00.000Z',
      ])
  })

  test('supports BYWEEKNO across the New Year', () => {
    const days = { startsLocal: '2019-12-30T08:00:00', timeZone: 'UTC' }
    expect(starts({ ...days, rrule: 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;COUNT=3' })).toEqual([
      '2019-12-30T08:00:00.000Z',
      '2021-01-04T08:00:00.000Z',
      '2022-01-03T08:00:00.000Z',
    ])
    expect(starts({ ...days, rrule: 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=FR;COUNT=3' })).toEqual([
      '2019-12-30T08:00:00.000Z',
      '2021-01-01T08:00:00.000Z',
      '2027-01-01T08:00:00.000Z',
    ])
  })

  // Recorded from python-dateutil 2.9, with DTSTART prepended if the rule does not include it. Excluded: BYWEEKNO
  // without weekdays, where dateutil takes all seven days but RFC 5545 only that of DTSTART; weeks 52 and 53 in
  // January, which it miscounts.
  test.each(cases as [string, string, string][])(
    'matches python-dateutil from %s %s',
    (start, rrule, wanted) => {
      const { spans } = expand(
        series({
          startsLocal: `${start}:00`,
          timeZone: 'UTC',
          rrule: `${rrule};UNTIL=20350101T000000Z`,
        }),
        Temporal.Instant.from(`${start}Z`),
      )
      const found = spans.map((span) => span.originalLocal.slice(0, 16))
      expect(found.slice(0, wanted.split(' ').length).join(' ')).toBe(wanted)
    },
  )

  test('supports the last day of each month, also in leap years', () => {
    expect(
      starts({
        startsLocal: '2028-01-31T08:00:00',
        rrule: 'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2',
      })[1],
    ).toBe('2028-02-29T00:00:00.000Z')
  })
})
