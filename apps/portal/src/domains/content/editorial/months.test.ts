import { expect, test } from 'vitest'
import { daysOfMonth, monthAfter } from './months.ts'

test.each([
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-03', 0, '2026-03'],
])('%s plus %i months is %s', (month, by, expected) => {
  expect(monthAfter(month, by)).toBe(expected)
})

test.each([
  ['2026-11', 30, 7],
  ['2026-02', 28, 7],
  ['2028-02', 29, 2],
  ['2026-06', 30, 1],
])('%s has %i days and starts in column %i', (month, count, column) => {
  const days = daysOfMonth(month)
  expect(days).toHaveLength(count)
  expect(days[0]).toEqual({ day: `${month}-01`, column })
  expect(days[count - 1]).toEqual({ day: `${month}-${count}`, column: undefined })
})
