import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { solvePuzzle } from './puzzle.ts'
import { sha256 } from './sha256.ts'

const hex = (words: Uint32Array) =>
  Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('')
const reference = (text: string) => createHash('sha256').update(text).digest('hex')

describe('sha256', () => {
  test('matches the published test vector', () => {
    expect(hex(sha256('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
  test.each(Array.from({ length: 56 }, (_, length) => length))(
    'matches node:crypto for %i characters',
    (length) => {
      const text = 'q?7&x0=Z'.repeat(7).slice(0, length)
      expect(hex(sha256(text))).toBe(reference(text))
    },
  )
})

describe('solvePuzzle', () => {
  const salt = '0123456789abcdef?expires=1795000000&'
  const puzzle = (number: number, maxnumber = 5000) => ({
    algorithm: 'SHA-256' as const,
    challenge: reference(`${salt}${number}`),
    maxnumber,
    salt,
    signature: 's',
  })
  test.each([0, 1, 4999, 5000])('finds the number %i', async (number) => {
    expect(JSON.parse(atob(await solvePuzzle(puzzle(number))))).toEqual({
      algorithm: 'SHA-256',
      challenge: reference(`${salt}${number}`),
      number,
      salt,
      signature: 's',
    })
  })
  test('rejects if there is no solution', async () => {
    await expect(solvePuzzle(puzzle(6000))).rejects.toThrow('no solution')
  })
})
