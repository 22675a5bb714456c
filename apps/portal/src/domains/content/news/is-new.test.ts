import { expect, test } from 'vitest'
import { isNew } from './is-new.ts'

const now = new Date(2026, 10, 23, 9, 0).getTime()
const at = (day: number, hour = 12) => new Date(2026, 10, day, hour).toISOString()

test.each([
  ['today', at(23, 8), '3', true],
  ['within the days', at(21), '3', true],
  ['its day began longer ago, though it came out later that day', at(20, 23), '3', false],
  ['too old', at(10), '3', false],
  ['no number of days', at(23, 8), '', false],
  ['the setting is missing', at(23, 8), undefined, false],
  ['not a number', at(23, 8), 'x', false],
  ['no date', '', '3', false],
  ['tomorrow', at(24), '3', false],
])('%s', (_, releasedAt, days, expected) => {
  expect(isNew(releasedAt, days, now)).toBe(expected)
})
