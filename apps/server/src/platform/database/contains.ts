import { type Expression, sql } from 'kysely'
import { plainText } from '../text/tokenize-chinese.ts'

/**
 * A text as what somebody typed is compared with it: ，and a capital are the same as a plain comma and a small letter.
 * Asking whether a text is normalized costs a tenth of normalizing it, and most are.
 */
export const plainForm = (text: Expression<unknown>) =>
  sql<string>`lower(case when ${text} is nfkc normalized then ${text} else normalize(${text}, NFKC) end)`

/** What somebody typed, as texts are compared with it. */
export const plainTyped = (typed: string) => plainText(typed).trim()

/** Whether a text contains what `plainTyped` made; wildcards have no meaning in it. */
export const containsPlain = (text: Expression<unknown>, typed: string) =>
  sql<boolean>`strpos(${plainForm(text)}, ${typed}) > 0`

/** Whether a text contains what somebody typed. */
export const contains = (text: Expression<unknown>, typed: string) =>
  containsPlain(text, plainTyped(typed))
