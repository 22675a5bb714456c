import { identity } from '@atrium/contract/identity/identity'
import { call } from '#lib/api.ts'
import { solved } from './puzzle.ts'

/** Asks for a puzzle and solves it; the answer is worth one try. */
export const solveCaptcha = async () => solved(await call(identity.captcha))
