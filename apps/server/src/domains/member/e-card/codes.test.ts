import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codesFrom, newHandle, newSeed, splitCode, verifyCode } from './codes.ts'

const start = Date.UTC(2026, 10, 26, 8)
const seed = newSeed()
const handle = newHandle()
const codes = codesFrom(handle, seed, start)
const read = (index: number, seconds: number) =>
  verifyCode(seed, splitCode(codes[index]?.code ?? '')?.code ?? '', start + seconds * 1000)

test('the codes of ten minutes differ, and each has its own period', () => {
  expect(codes).toHaveLength(21)
  expect(new Set(codes.map(({ code }) => code)).size).toBe(21)
  expect(codes[0]).toMatchObject({
    from: '2026-11-26T08:00:00.000Z',
    until: '2026-11-26T08:00:30.000Z',
  })
  expect(codes.every(({ code }) => /^86\d{16}$/.test(code))).toBe(true)
  expect(splitCode(codes[3]?.code ?? '')?.handle).toBe(handle)
})

test.each([
  [0, 0, 'good'],
  [0, 29, 'good'],
  [0, 49, 'good'],
  [0, 51, 'late'],
  [0, 590, 'late'],
  // A clock half a minute behind.
  [1, 5, 'good'],
  [2, 5, 'unknown'],
  [20, 605, 'good'],
] as const)('code %i after %i s is %s', (index, seconds, becomes) => {
  const found = read(index, seconds)
  expect(found ? ('step' in found ? 'good' : 'late') : 'unknown').toBe(becomes)
})

test('no other code is accepted', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), (number) => {
      const text = String(number).padStart(8, '0')
      const own = codes.some(({ code }) => code.endsWith(text))
      expect(verifyCode(seed, text, start) !== undefined && !own).toBe(false)
    }),
    { numRuns: 200 },
  )
})
