import { createHash } from 'node:crypto'
import { identity } from '@atrium/contract/identity/identity'
import type { Caller } from './test-app.ts'

/** Requests and solves a captcha. */
export async function solvedCaptcha(visitor: Caller): Promise<string> {
  const { data } = await visitor(identity.captcha)
  const { algorithm, challenge, maxnumber, salt, signature } = data
  for (let number = 0; number <= maxnumber; number++)
    if (createHash('sha256').update(`${salt}${number}`).digest('hex') === challenge)
      return Buffer.from(
        JSON.stringify({ algorithm, challenge, number, salt, signature }),
      ).toString('base64')
  throw new Error('there is no solution')
}
