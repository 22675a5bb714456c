import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { retryAfterSeconds } from './retry-after.ts'

beforeEach(() => void vi.setSystemTime('2026-11-26T08:00:00Z'))
afterEach(() => void vi.useRealTimers())

test.each([
  ['120', 120],
  [' 120 ', 120],
  ['0', 0],
  ['Thu, 26 Nov 2026 09:00:00 GMT', 3600],
  ['Thursday, 26-Nov-26 09:00:00 GMT', 3600],
  ['Thu Nov 26 09:00:00 2026', 3600],
  ['Thu, 26 Nov 2026 07:00:00 GMT', 0],
  ['-5', 0],
  ['soon', 0],
  ['Monday', 0],
  ['', 0],
  [undefined, 0],
])('Retry-After %j is %d seconds', (header, seconds) => {
  expect(retryAfterSeconds(header)).toBe(seconds)
})
