import { expect, test } from 'vitest'
import { codeAt } from './code-at.ts'

const start = Date.UTC(2026, 10, 26, 8)
const codes = Array.from({ length: 21 }, (_, index) => ({
  code: `86${index}`,
  from: new Date(start + index * 30_000).toISOString(),
  until: new Date(start + (index + 1) * 30_000).toISOString(),
}))
const at = (seconds: number, ahead = 0) =>
  codeAt({ now: codes[0]?.from ?? '', codes, mayPay: true, ahead }, start + seconds * 1000)

test.each([
  [0, 0, '860', 30],
  [29.5, 0, '860', 1],
  [30, 0, '861', 30],
  [600, 0, '8620', 30],
  // A device whose clock is five minutes fast shows the code the server expects now.
  [300, 300_000, '860', 30],
])('after %d s on a clock that is %d ms ahead, the code is %s', (seconds, ahead, code, left) => {
  expect(at(seconds, ahead)).toMatchObject({ code, left })
})

test('returns no code before the first and after the last one', () => {
  expect(at(630)).toBeUndefined()
  expect(at(-1)).toBeUndefined()
})
