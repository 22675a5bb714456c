import type { Field } from './import.ts'

/** The header line, with the column names from the documentation. The BOM tells spreadsheets that the file is UTF-8. */
export const csvHead = (fields: Record<string, Field<unknown>>) =>
  `\uFEFF${csvLine(Object.values(fields).map(({ headers }) => headers[0]))}`

export const csvLine = (cells: readonly (string | null)[]) => `${cells.map(cellText).join(',')}\r\n`

/**
 * Spreadsheets execute cells that look like formulas; a leading apostrophe marks them as text. `readRows` removes it
 * again, so a text that has such an apostrophe itself gets one more.
 */
function cellText(cell: string | null): string {
  const text = cell ?? ''
  const safe = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
