import { expect, test } from 'vitest'
import { isNew } from './is-new.ts'

const zone = 'Asia/Shanghai'
const at = (day: number, hour = 12) =>
  new Date(`2026-11-${day}T${String(hour).padStart(2, '0')}:00:00+08:00`).toISOString()
const now = Date.parse(at(23, 9))

test.each([
  ['is new when released today', at(23, 8), '3', true],
  ['is new when released within the configured days', at(21), '3', true],
  [
    'is not new when its release day started too long ago, even if released late that day',
    at(20, 23),
    '3',
    false,
  ],
  ['is not new when released long ago', at(10), '3', false],
  ['is not new when the setting is empty', at(23, 8), '', false],
  ['is not new when the setting is missing', at(23, 8), undefined, false],
  ['is not new when the setting is not a number', at(23, 8), 'x', false],
  ['is not new without a release date', '', '3', false],
  ['is not new when its release is tomorrow', at(24), '3', false],
])('%s', (_, releasedAt, days, expected) => {
  expect(isNew(releasedAt, days, now, zone)).toBe(expected)
})

test('days start at midnight in the given time zone', () => {
  // 00:20 of the 24th in that zone, still the 23rd in UTC.
  const night = Date.parse('2026-11-23T16:20:00Z')
  expect(isNew(at(22), '2', night, zone)).toBe(false)
  expect(isNew(at(22), '2', night, 'UTC')).toBe(true)
})
