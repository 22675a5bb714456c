import { expect, test } from 'vitest'
import { dayIn } from './day-in.ts'

test.each([
  ['2026-11-22T16:30:00Z', 'Asia/Shanghai', '2026-11-23'],
  ['2026-11-22T15:59:59Z', 'Asia/Shanghai', '2026-11-22'],
  ['2026-11-22T16:30:00Z', 'Europe/London', '2026-11-22'],
  ['2026-11-21T04:59:00Z', 'America/New_York', '2026-11-20'],
  ['2026-07-21T04:00:00Z', 'America/New_York', '2026-07-21'],
])('%s in %s is on %s', (time, zone, day) => {
  expect(dayIn(new Date(time), zone)).toBe(day)
  expect(dayIn(Date.parse(time), zone)).toBe(day)
})
