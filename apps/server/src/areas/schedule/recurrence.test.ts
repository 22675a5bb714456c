import { describe, expect, test } from 'vitest'
import { expand, type Series } from './recurrence.ts'

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

describe('a series is written out', () => {
  test('a single event is one span, in UTC', () => {
    expect(expand(series({}), today)).toEqual({
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

  test('weekly, a number of times', () => {
    const found = starts({ rrule: 'FREQ=WEEKLY;COUNT=16' })
    expect(found).toHaveLength(16)
    expect(found[15]).toBe('2026-12-21T00:00:00.000Z')
  })

  test('odd weeks only', () => {
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
  ])('until %s, inclusive', (_, end) => {
    expect(starts({ rrule: `FREQ=WEEKLY;${end}` })).toHaveLength(3)
  })

  test('stays at its wall-clock time when clocks change', () => {
    const found = starts({
      startsLocal: '2026-03-01T09:00:00',
      timeZone: 'America/New_York',
      rrule: 'FREQ=WEEKLY;COUNT=2',
    })
    expect(found).toEqual(['2026-03-01T14:00:00.000Z', '2026-03-08T13:00:00.000Z'])
  })

  test('an all-day event lasts its day, also when that has 23 hours', () => {
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

  test('excluded and moved occurrences', () => {
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

  test('an endless rule stops three years ahead, and says where', () => {
    const { spans, until } = expand(series({ rrule: 'FREQ=WEEKLY' }), today)
    expect(spans).toHaveLength(157)
    expect(until).toBe('2029-09-07T00:00:00.000Z')
  })

  test('a rule that begins or ends far ahead is written out all the same', () => {
    const farAhead = { startsLocal: '2040-01-02T08:00:00' }
    expect(starts({ ...farAhead, rrule: 'FREQ=WEEKLY;COUNT=3' })).toHaveLength(3)
    expect(starts({ ...farAhead, rrule: 'FREQ=WEEKLY;UNTIL=20400116' })).toHaveLength(3)
    expect(starts({ ...farAhead, rrule: 'FREQ=WEEKLY' })).toHaveLength(157)
  })

  test('a rule without an end in sight is cut', () => {
    expect(starts({ rrule: 'FREQ=MINUTELY;COUNT=100000' })).toHaveLength(3000)
  })

  test('the last day of each month, leap years too', () => {
    expect(
      starts({
        startsLocal: '2028-01-31T08:00:00',
        rrule: 'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2',
      })[1],
    ).toBe('2028-02-29T00:00:00.000Z')
  })
})
