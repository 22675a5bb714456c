import { createHash } from 'node:crypto'
import { cleanRichText } from '#platform/text/rich-text.ts'

/** Cache key of a translation: service address, target language and text. */
export const hashOf = (address: string, to: string, pieces: readonly string[]) =>
  createHash('sha256')
    .update(JSON.stringify([address, to, pieces]))
    .digest()

const linked = /\s(href|src|data-tex)="([^"]*)"/g

/**
 * Sanitises a translated text and removes addresses and formulas that the original does not contain, so that the
 * service cannot insert links of its own.
 */
export function trustedHtml(translated: string, original: string) {
  const known = new Set([...cleanRichText(original).matchAll(linked)].map(([all]) => all))
  return cleanRichText(
    cleanRichText(translated).replaceAll(linked, (all) => (known.has(all) ? all : '')),
  )
}

/** Whether the HTML has no text. */
export const isBlank = (html: string) => html.replaceAll(/<[^>]*>|&nbsp;|\s/g, '') === ''
