import type { Language } from '@atrium/contract/error-texts'

const words = {
  zh: (alt: string) => (alt ? `查看图片：${alt}` : '查看图片'),
  en: (alt: string) => (alt ? `View picture: ${alt}` : 'View picture'),
}

/**
 * A sanitised text whose pictures come from our own origin, for a page lets no others in. Where a picture may not be shown,
 * a link to it stands instead; within a link just its words, for links do not nest. Attribute values have their quotes and
 * angle brackets escaped, so that a tag is found as itself.
 * @param addressOf where the browser gets a picture of a text, if it may be shown
 */
export function withOwnPictures(
  html: string,
  language: Language,
  addressOf: (source: string) => string | undefined,
): string {
  let inLink = false
  return html.replaceAll(
    /<(\/?)(a|img)\b([^>]*)>/g,
    (tag, end: string, name: string, rest: string) => {
      if (name === 'a') {
        inLink = end === ''
        return tag
      }
      const source = attribute(rest, 'src')
      const own = addressOf(source.replaceAll('&amp;', '&'))
      if (own) return tag.replace(/\ssrc="[^"]*"/, () => ` src="${own.replaceAll('&', '&amp;')}"`)
      const text = words[language](attribute(rest, 'alt'))
      return inLink || !/^https?:/i.test(source)
        ? `<span class="picture-elsewhere">${text}</span>`
        : `<a class="picture-elsewhere" href="${source}" rel="noopener noreferrer" target="_blank">${text}</a>`
    },
  )
}

const attribute = (attributes: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
