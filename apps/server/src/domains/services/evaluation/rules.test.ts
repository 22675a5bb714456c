import { expect, test } from 'vitest'
import { modeOf, scoresFor } from './rules.ts'

test.each([
  ['0', 'off'],
  ['1', 'simple'],
  ['2', 'detailed'],
  ['3', 'simple'],
  ['', 'off'],
])('the setting %s means %s', (setting, mode) => {
  expect(modeOf(setting)).toBe(mode)
})

const standards = [
  { id: '1', code: 'ease' },
  { id: '2', code: 'speed' },
]
const ease = { code: 'ease', stars: 3 }
const speed = { code: 'speed', stars: 5 }

test('every standard must be scored exactly once', () => {
  expect(scoresFor(standards, [speed, ease])).toEqual([
    { standardId: '1', stars: 3 },
    { standardId: '2', stars: 5 },
  ])
  expect(() => scoresFor(standards, [ease])).toThrow('evaluation.standard_missing')
  expect(() => scoresFor(standards, [ease, ease, speed])).toThrow('evaluation.standard_unknown')
  expect(() => scoresFor(standards, [ease, speed, { code: 'x', stars: 1 }])).toThrow(
    'evaluation.standard_unknown',
  )
})
