import { expect, test } from 'vitest'
import { isNew } from './is-new.ts'

const zone = 'Asia/Shanghai'
const at = (day: number, hour = 12) =>
  new Date(`2026-11-${day}T${String(hour).padStart(2, '0')}:00:00+08:00`).toISOString()
const now = Date.parse(at(23, 9))

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
  expect(isNew(releasedAt, days, now, zone)).toBe(expected)
})

test('a day begins when it begins at the institution', () => {
  // 00:20 of the 24th in that zone, still the 23rd in UTC.
  const night = Date.parse('2026-11-23T16:20:00Z')
  expect(isNew(at(22), '2', night, zone)).toBe(false)
  expect(isNew(at(22), '2', night, 'UTC')).toBe(true)
})
