import { identity } from '@atrium/contract/identity/identity'
import { call } from '#lib/api.ts'
import { solved } from './puzzle.ts'

/** Fetches a captcha and solves it; the answer is valid for one attempt. */
export const solveCaptcha = async () => solved(await call(identity.captcha))
