import { expect, test } from 'vitest'
import { teachingWeek } from './teaching-week.ts'

test.each([
  ['2026-09-07', 1],
  ['2026-09-13', 1],
  ['2026-09-14', 2],
  ['2026-11-23', 12],
  ['2027-01-10', 18],
  ['2026-09-06', undefined],
  ['2027-01-11', undefined],
])('the teaching week of %s is %s', (day, week) => {
  expect(teachingWeek(day, { startsOn: '2026-09-07', weeks: 18 })).toBe(week)
})

test('a term that starts in the middle of a week is counted from the Monday of that week', () => {
  const term = { startsOn: '2026-09-09', weeks: 18 }
  expect(teachingWeek('2026-09-13', term)).toBe(1)
  expect(teachingWeek('2026-09-14', term)).toBe(2)
})

test('there is no teaching week without a term', () => {
  expect(teachingWeek('2026-09-07', null)).toBeUndefined()
})
