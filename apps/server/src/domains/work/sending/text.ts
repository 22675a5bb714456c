import { escapeHtml } from '#platform/text/escape-html.ts'

/** What was written as plain text: each line is a paragraph. */
export const asHtml = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('')
