import { expect, test } from 'vitest'
import { newCircuit, release, retryAfterSeconds, tryAcquire } from './circuit.ts'

const fail = (circuit: ReturnType<typeof newCircuit>, now: number) => {
  expect(tryAcquire(circuit, now)).toBe(true)
  release(circuit, false, now)
}

test('five failures in a row open the circuit, and after a pause one call tries again', () => {
  const circuit = newCircuit('https://a.example.edu')
  for (const now of [0, 1, 2, 3]) fail(circuit, now)
  expect(tryAcquire(circuit, 4)).toBe(true)
  release(circuit, true, 4)
  for (const now of [5, 6, 7, 8, 9]) fail(circuit, now)
  expect(tryAcquire(circuit, 10)).toBe(false)
  expect(retryAfterSeconds(circuit, 1009)).toBe(9)
  expect(tryAcquire(circuit, 10_008)).toBe(false)
  expect(tryAcquire(circuit, 10_009)).toBe(true)
  expect(tryAcquire(circuit, 10_009)).toBe(false)
  release(circuit, false, 10_010)
  expect(tryAcquire(circuit, 10_011)).toBe(false)
  expect(tryAcquire(circuit, 20_010)).toBe(true)
  release(circuit, true, 20_011)
  expect(tryAcquire(circuit, 20_012)).toBe(true)
})

test('at most 64 calls to one upstream run at a time', () => {
  const circuit = newCircuit('https://a.example.edu')
  const let_in = Array.from({ length: 70 }, () => tryAcquire(circuit, 0)).filter(Boolean)
  expect(let_in).toHaveLength(64)
  release(circuit, true, 1)
  expect(tryAcquire(circuit, 1)).toBe(true)
})
