import { identity } from '@atrium/contract/identity/identity'
import { call } from '#lib/api.ts'
import { solvePuzzle } from './puzzle.ts'

/** Fetches a captcha and solves it; the answer is valid for one attempt. */
export const solveCaptcha = async () => solvePuzzle(await call(identity.captcha))
