import { createHash } from 'node:crypto'
import { cleanRichText } from '#platform/text/rich-text.ts'

/** Cache key of a translation: service address, target language and text. */
export const hashOf = (address: string, to: string, pieces: readonly string[]) =>
  createHash('sha256')
    .update(JSON.stringify([address, to, pieces]))
    .digest()

const linkAttribute = /\s(href|src|data-tex)="([^"]*)"/g

/**
 * Sanitises a translated text and removes addresses and formulas that the original does not contain, so that the
 * service cannot insert links of its own.
 */
export function sanitizeTranslation(translated: string, original: string) {
  const allowed = new Set(
    [...cleanRichText(original).matchAll(linkAttribute)].map(([attribute]) => attribute),
  )
  return cleanRichText(
    cleanRichText(translated).replaceAll(linkAttribute, (attribute) =>
      allowed.has(attribute) ? attribute : '',
    ),
  )
}

/** Whether the HTML has no text. */
export const isBlank = (html: string) => html.replaceAll(/<[^>]*>|&nbsp;|\s/g, '') === ''
