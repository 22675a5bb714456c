import { expect, test } from 'vitest'
import { addDays, addMonths, daysBetween, gridOf, mondayOf, moveMonths, weekdayOf } from './days.ts'

test('adds and compares days and months', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(daysBetween('2026-03-28', '2026-04-01')).toBe(4)
  expect(weekdayOf('2026-11-23')).toBe(0)
  expect(mondayOf('2026-11-29')).toBe('2026-11-23')
  expect(addMonths('2026-11', 3)).toBe('2027-02')
  expect(addMonths('2026-01', -1)).toBe('2025-12')
  expect(moveMonths('2026-03-31', -1)).toBe('2026-02-28')
  expect(moveMonths('2026-01-15', 12)).toBe('2027-01-15')
})

test('the month grid starts on a Monday and contains every week of the month', () => {
  const days = gridOf('2026-11')
  expect([days[0], days[6], days[41]]).toEqual(['2026-10-26', '2026-11-01', '2026-12-06'])
  expect(gridOf('2027-02')[0]).toBe('2027-02-01')
})
