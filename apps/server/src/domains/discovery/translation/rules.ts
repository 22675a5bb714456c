import { createHash } from 'node:crypto'
import { cleanRichText } from '#platform/text/rich-text.ts'

/** What a text is found by: the same text for the same language of the same machine. */
export const hashOf = (address: string, to: string, pieces: readonly string[]) =>
  createHash('sha256')
    .update(JSON.stringify([address, to, pieces]))
    .digest()

const linked = /\s(href|src|data-tex)="([^"]*)"/g

/**
 * A translated text as it may be shown: sanitised, and without an address or a formula that the original does not have. Whoever
 * runs the machine puts no link of their own before readers.
 */
export function trustedHtml(translated: string, original: string) {
  const known = new Set([...cleanRichText(original).matchAll(linked)].map(([all]) => all))
  return cleanRichText(
    cleanRichText(translated).replaceAll(linked, (all) => (known.has(all) ? all : '')),
  )
}

/** Has nothing to read. */
export const isBlank = (html: string) => html.replaceAll(/<[^>]*>|&nbsp;|\s/g, '') === ''
