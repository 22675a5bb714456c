import { expect, test } from 'vitest'
import type { StoredCard } from './read-personal.ts'
import { booksOf } from './views.ts'

const dueOn = (...days: string[]): StoredCard => ({
  value: { list: days.map((day) => ({ title: 'x', dueOn: day })) },
  asOf: null,
  isStale: false,
  source: undefined,
})

test.each([
  // 1 December in the UK, but already the 2nd in China.
  ['2026-12-01T17:00:00Z', 'Asia/Shanghai', 2],
  ['2026-12-01T17:00:00Z', 'Europe/London', 1],
  ['2026-12-01T15:59:59Z', 'Asia/Shanghai', 1],
  ['2026-12-01T04:00:00Z', 'America/New_York', 0],
])('at %s in %s, books due within three days are counted as due soon', (now, timeZone, count) => {
  const known = dueOn('2026-12-04', '2026-12-05', '2026-12-06')
  expect(booksOf(known, new Date(now), timeZone)).toMatchObject({ borrowed: 3, dueSoon: count })
})
