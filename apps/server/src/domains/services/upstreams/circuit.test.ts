import { expect, test } from 'vitest'
import { enter, leave, newCircuit, waitFor } from './circuit.ts'

const fail = (circuit: ReturnType<typeof newCircuit>, now: number) => {
  expect(enter(circuit, now)).toBe(true)
  leave(circuit, false, now)
}

test('five failures in a row give a rest, after which one call tries', () => {
  const circuit = newCircuit('https://a.example.edu')
  for (const now of [0, 1, 2, 3]) fail(circuit, now)
  expect(enter(circuit, 4)).toBe(true)
  leave(circuit, true, 4)
  for (const now of [5, 6, 7, 8, 9]) fail(circuit, now)
  expect(enter(circuit, 10)).toBe(false)
  expect(waitFor(circuit, 1009)).toBe(9)
  expect(enter(circuit, 10_008)).toBe(false)
  expect(enter(circuit, 10_009)).toBe(true)
  expect(enter(circuit, 10_009)).toBe(false)
  leave(circuit, false, 10_010)
  expect(enter(circuit, 10_011)).toBe(false)
  expect(enter(circuit, 20_010)).toBe(true)
  leave(circuit, true, 20_011)
  expect(enter(circuit, 20_012)).toBe(true)
})

test('no more than 64 wait for one system', () => {
  const circuit = newCircuit('https://a.example.edu')
  const let_in = Array.from({ length: 70 }, () => enter(circuit, 0)).filter(Boolean)
  expect(let_in).toHaveLength(64)
  leave(circuit, true, 1)
  expect(enter(circuit, 1)).toBe(true)
})
