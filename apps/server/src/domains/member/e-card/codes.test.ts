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
  const step = 30_000
  const textsFrom = (seed: string, from: number) =>
    codesFrom(handle, seed, from).map(({ code }) => splitCode(code)?.code ?? '')
  const own = textsFrom(seed, start)
  /** Codes of this seed around now: any other text equal to one of them would be a coincidence. */
  const known = new Set([
    ...own,
    ...[-22, -11, 11, 22].flatMap((steps) => textsFrom(seed, start + steps * step)),
  ])
  const expectUnknown = (text: string) => {
    if (!known.has(text)) expect(verifyCode(seed, text, start), text).toBeUndefined()
  }
  for (const text of own) {
    for (let at = 0; at < text.length; at++)
      for (let digit = 0; digit <= 9; digit++)
        expectUnknown(`${text.slice(0, at)}${digit}${text.slice(at + 1)}`)
    for (const other of [text.slice(1), text.slice(0, -1), `0${text}`, `${text}0`, ` ${text}`])
      expectUnknown(other)
  }
  const [another, similar] = [newSeed(), `${seed.slice(0, -1)}${seed.endsWith('A') ? 'B' : 'A'}`]
  for (const text of [...textsFrom(another, start), ...textsFrom(similar, start)])
    expectUnknown(text)
  expectUnknown('')
  // Codes of the next minutes, except the next one, and those older than the longest set.
  for (const text of own.slice(2)) expect(verifyCode(seed, text, start), text).toBeUndefined()
  for (const steps of [22, 23, 120])
    expect(verifyCode(seed, own[0] ?? '', start + steps * step)).toBeUndefined()
})
