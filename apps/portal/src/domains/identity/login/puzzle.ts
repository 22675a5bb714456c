import type { Captcha } from '@atrium/contract/identity/identity'
import { sha256 } from './sha256.ts'

/** Numbers tried before yielding to user input: a few milliseconds of work, forty on a cheap phone. */
const slice = 2000

/** The captcha's solution in the server's format. @throws if no number solves it */
export async function solvePuzzle(captcha: Captcha): Promise<string> {
  const { algorithm, challenge, maxnumber, salt, signature } = captcha
  const targetWords = Array.from({ length: 8 }, (_, i) =>
    Number.parseInt(challenge.slice(i * 8, i * 8 + 8), 16),
  )
  for (let number = 0; number <= maxnumber; number++) {
    const hash = sha256(`${salt}${number}`)
    if (hash[0] === targetWords[0] && targetWords.every((word, i) => hash[i] === word))
      return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }))
    if (number % slice === 0) await new Promise((resolve) => setTimeout(resolve))
  }
  throw new Error('the puzzle has no solution')
}
