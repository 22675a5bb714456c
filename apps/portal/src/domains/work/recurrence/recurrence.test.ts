import { expect, test } from 'vitest'
import { joinRule, parseRule, splitRule, writeRule } from './recurrence.ts'

test.each([
  ['FREQ=DAILY', { unit: 'day', every: 1, weekdays: [] }],
  ['RRULE:FREQ=DAILY;INTERVAL=3;COUNT=5', { unit: 'day', every: 3, weekdays: [], count: 5 }],
  ['FREQ=WEEKLY;COUNT=18', { unit: 'week', every: 1, weekdays: [], count: 18 }],
  ['FREQ=WEEKLY;BYDAY=WE,MO;WKST=MO', { unit: 'week', every: 1, weekdays: [0, 2] }],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;UNTIL=20270110T155959Z',
    { unit: 'week', every: 2, weekdays: [4], until: '2027-01-10' },
  ],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', { unit: 'month', every: 1, weekdays: [], monthDay: -1 }],
  [
    'FREQ=MONTHLY;BYDAY=2TU',
    { unit: 'month', every: 1, weekdays: [], nth: { place: 2, weekday: 1 } },
  ],
  [
    'FREQ=MONTHLY;BYDAY=-1FR',
    { unit: 'month', every: 1, weekdays: [], nth: { place: -1, weekday: 4 } },
  ],
  ['FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=1', { unit: 'year', every: 1, weekdays: [] }],
])('parses %s', (rrule, recurrence) => {
  expect(parseRule(rrule)).toEqual(recurrence)
})

test.each([
  '',
  'FREQ=HOURLY',
  'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1',
  'FREQ=MONTHLY;BYDAY=MO',
  'FREQ=MONTHLY;BYMONTHDAY=1,15',
  'FREQ=MONTHLY;BYDAY=2TU;BYMONTHDAY=13',
  'FREQ=DAILY;BYDAY=MO',
  'FREQ=WEEKLY;BYDAY=XX',
  'FREQ=WEEKLY;BYHOUR=9',
])('returns undefined for the unsupported rule “%s”', (rrule) => {
  expect(parseRule(rrule)).toBeUndefined()
})

test.each([
  ['FREQ=WEEKLY;BYDAY=TU', false],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=8', false],
  ['FREQ=MONTHLY;BYDAY=2TU;UNTIL=20270110T155959Z', false],
  ['FREQ=DAILY;UNTIL=20270110', true],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', false],
  ['FREQ=YEARLY;COUNT=3', true],
])('%s is unchanged after its end is split off and joined again', (rrule, allDay) => {
  const { repeatSet, dateEndSet } = splitRule(rrule, 'Asia/Shanghai')
  expect(joinRule(repeatSet, dateEndSet, allDay, 'Asia/Shanghai')).toBe(rrule)
  const rule = parseRule(repeatSet)
  expect(rule && writeRule(rule)).toBe(repeatSet)
})

test('UNTIL is computed from the last day in the event’s own time zone', () => {
  const rrule = joinRule('FREQ=DAILY', { index: 1, val: '2027-01-10' }, false, 'America/New_York')
  expect(rrule).toBe('FREQ=DAILY;UNTIL=20270111T045959Z')
  expect(splitRule(rrule, 'America/New_York').dateEndSet.val).toBe('2027-01-10')
  expect(parseRule(rrule, 'America/New_York')?.until).toBe('2027-01-10')
})
