import { expect, test } from 'vitest'
import { readText } from './shapes.ts'

test.each([
  ['2026-11-02', '2026-11-02'],
  ['2026/11/02', '2026-11-02'],
  ['20261102', '2026-11-02'],
  ['2028-02-29', '2028-02-29'],
  ['2026-11-02T20:00:00Z', '2026-11-03'],
  ['2026-02-29', undefined],
  ['2026-02-31', undefined],
  ['20260431', undefined],
  ['2026-13-01', undefined],
  ['2026-11-00', undefined],
])('the day %s is read as %s', (text, day) => {
  const settings = { timeZone: 'Asia/Shanghai', moneyIn: 'yuan' } as const
  expect(readText(text, { read: 'day' }, settings)).toBe(day)
})
