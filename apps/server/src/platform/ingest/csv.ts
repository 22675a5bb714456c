import type { Field } from './import.ts'

/** The columns as their import documents them. The mark tells a spreadsheet that this is UTF-8. */
export const csvHead = (fields: Record<string, Field<unknown>>) =>
  `\uFEFF${csvLine(Object.values(fields).map(({ headers }) => headers[0]))}`

export const csvLine = (cells: readonly (string | null)[]) => `${cells.map(cellText).join(',')}\r\n`

/**
 * A spreadsheet runs what begins like a formula: an apostrophe before it says that it is text. `readRows` takes it away
 * again, and one apostrophe more keeps such a text that had its own.
 */
function cellText(cell: string | null): string {
  const text = cell ?? ''
  const safe = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
