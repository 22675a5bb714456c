import { type Expression, sql } from 'kysely'
import { plainText } from '../text/tokenize-chinese.ts'

/** A text as what somebody typed is compared with it: ，and a capital are the same as a plain comma and a small letter. */
export const plainForm = (text: Expression<unknown>) => sql<string>`lower(normalize(${text}, NFKC))`

/** Whether a text contains what somebody typed; wildcards have no meaning in it. */
export const contains = (text: Expression<unknown>, typed: string) =>
  sql<boolean>`strpos(${plainForm(text)}, ${plainText(typed).trim()}) > 0`
