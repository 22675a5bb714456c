import { expect, test } from 'vitest'
import { parseRule } from './recurrence.ts'

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
])('%s', (rrule, recurrence) => {
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
])('“%s” has no short sentence', (rrule) => {
  expect(parseRule(rrule)).toBeUndefined()
})
