import { expect, test } from 'vitest'
import type { Series } from '#domains/work/schedule/recurrence.ts'
import { freeSpans, isSeries, shiftRule, splitRule } from './rules.ts'

const series = (rrule: string, more: Partial<Series> = {}): Series => ({
  startsLocal: '2026-12-01T14:00:00',
  minutes: 60,
  allDay: false,
  timeZone: 'Asia/Shanghai',
  rrule,
  excludedLocal: [],
  overrides: [],
  ...more,
})

test.each([
  ['', true],
  ['FREQ=WEEKLY;BYDAY=TU', true],
  ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=12', true],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', true],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3', true],
  ['FREQ=DAILY;UNTIL=20270101T000000Z', true],
  ['FREQ=SECONDLY', false],
  ['FREQ=HOURLY', false],
  ['FREQ=DAILY;BYHOUR=1,2,3', false],
  ['FREQ=DAILY;COUNT=100000', false],
  ['FREQ=DAILY;COUNT=2;UNTIL=20270101', false],
  ['FREQ=DAILY;INTERVAL=0', false],
  ['FREQ=DAILY;FREQ=WEEKLY', false],
  ['INTERVAL=2', false],
  ['FREQ=WEEKLY;BYDAY=XX', false],
  ['FREQ=WEEKLY;UNTIL=tomorrow', false],
  ['FREQ=MONTHLY;BYMONTHDAY=0', false],
  ['__proto__=x;FREQ=DAILY', false],
  ['FREQ=DAILY\nX=1', false],
])('isSeries checks the rule %j: %j', (rrule, allowed) => {
  expect(isSeries(series(rrule))).toBe(allowed)
})

test.each([
  ['FREQ=WEEKLY;BYDAY=TU', 1, 'FREQ=WEEKLY;BYDAY=WE'],
  ['FREQ=WEEKLY;BYDAY=TU,TH', -2, 'FREQ=WEEKLY;BYDAY=SU,TU'],
  ['FREQ=WEEKLY;BYDAY=SU', 8, 'FREQ=WEEKLY;BYDAY=MO'],
  ['FREQ=WEEKLY', 1, 'FREQ=WEEKLY'],
  ['FREQ=MONTHLY;BYMONTHDAY=1', 1, 'FREQ=MONTHLY;BYMONTHDAY=1'],
])('shiftRule shifts the weekdays of %s by %d days', (rrule, days, moved) => {
  expect(shiftRule(rrule, days)).toBe(moved)
})

test.each([
  [
    'FREQ=WEEKLY;COUNT=10',
    '2026-12-15T14:00',
    'FREQ=WEEKLY;UNTIL=20261215T055959Z',
    'FREQ=WEEKLY;COUNT=8',
  ],
  ['FREQ=WEEKLY', '2026-12-15T14:00', 'FREQ=WEEKLY;UNTIL=20261215T055959Z', 'FREQ=WEEKLY'],
  [
    'FREQ=DAILY;UNTIL=20270101T000000Z',
    '2026-12-02T14:00',
    'FREQ=DAILY;UNTIL=20261202T055959Z',
    'FREQ=DAILY;UNTIL=20270101T000000Z',
  ],
])('splitRule splits %s at %s', (rrule, at, before, after) => {
  expect(splitRule(series(rrule), at)).toEqual({ before, after })
})

test('splitRule includes excluded occurrences in COUNT', () => {
  const { after } = splitRule(
    series('FREQ=WEEKLY;COUNT=10', { excludedLocal: ['2026-12-08T14:00:00'] }),
    '2026-12-15T14:00',
  )
  expect(after).toBe('FREQ=WEEKLY;COUNT=8')
})

test('splitRule ends an all-day series on the day before', () => {
  const days = series('FREQ=DAILY', {
    allDay: true,
    startsLocal: '2026-12-01T00:00:00',
    minutes: 1440,
  })
  expect(splitRule(days, '2026-12-05T00:00').before).toBe('FREQ=DAILY;UNTIL=20261204')
})

test('freeSpans returns spans that are entirely free, within the day and not in the past', () => {
  const at = (clock: string) => Date.parse(`2026-12-01T${clock}:00+08:00`)
  const found = freeSpans(
    [
      { startsAt: at('08:00'), endsAt: at('09:30') },
      { startsAt: at('10:00'), endsAt: at('12:00') },
      { startsAt: at('13:00'), endsAt: at('19:30') },
    ],
    { days: ['2026-12-01'], minutes: 60, timeZone: 'Asia/Shanghai', notBefore: at('07:00') },
  )
  expect(found).toEqual([{ startsAt: at('12:00'), endsAt: at('13:00') }])
  expect(
    freeSpans([], {
      days: ['2026-12-01'],
      minutes: 60,
      timeZone: 'Asia/Shanghai',
      notBefore: at('18:10'),
    }),
  ).toEqual([
    { startsAt: at('18:30'), endsAt: at('19:30') },
    { startsAt: at('19:00'), endsAt: at('20:00') },
  ])
})
