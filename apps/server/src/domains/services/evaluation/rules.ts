import { fail } from '#platform/http/errors.ts'

export type Mode = 'off' | 'simple' | 'detailed'

/** Reads the setting: 0 off, 1 simple, 2 detailed, 3 simple. */
export const modeOf = (setting: string): Mode =>
  setting === '2' ? 'detailed' : setting === '1' || setting === '3' ? 'simple' : 'off'

/**
 * Scores by the current standards, which must be complete and without duplicates.
 * @throws evaluation.standard_unknown, evaluation.standard_missing
 */
export function scoresFor(
  standards: readonly { id: string; code: string }[],
  submitted: readonly { code: string; stars: number }[],
) {
  const byCode = new Map(submitted.map(({ code, stars }) => [code, stars]))
  const known = new Set(standards.map(({ code }) => code))
  if (byCode.size < submitted.length || submitted.some(({ code }) => !known.has(code)))
    fail('evaluation.standard_unknown')
  return standards.map(({ id, code }) => ({
    standardId: id,
    stars: byCode.get(code) ?? fail('evaluation.standard_missing'),
  }))
}
