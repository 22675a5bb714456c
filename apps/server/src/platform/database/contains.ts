import { type Expression, sql } from 'kysely'
import { plainText } from '../text/tokenize-chinese.ts'

/**
 * Normalises a text column for comparison with user input: full-width and half-width forms and letter case are equal.
 * `is normalized` costs a tenth of `normalize`, and most texts already are.
 */
export const plainForm = (text: Expression<unknown>) =>
  sql<string>`lower(case when ${text} is nfkc normalized then ${text} else normalize(${text}, NFKC) end)`

/** User input, normalised like `plainForm`. */
export const normalizedInput = (typed: string) => plainText(typed).trim()

/** Whether a text contains the output of `normalizedInput`. There are no wildcards. */
export const containsPlain = (text: Expression<unknown>, typed: string) =>
  sql<boolean>`strpos(${plainForm(text)}, ${typed}) > 0`

/** Whether a text contains what the user typed. */
export const contains = (text: Expression<unknown>, typed: string) =>
  containsPlain(text, normalizedInput(typed))
