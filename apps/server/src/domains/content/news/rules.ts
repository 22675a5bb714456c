import type { Language } from '@atrium/contract/error-texts'
import { fail } from '#platform/http/errors.ts'
import { plainText } from '#platform/text/rich-text.ts'

const labels = {
  zh: {
    img: (alt: string) => (alt ? `查看图片：${alt}` : '查看图片'),
    video: () => '观看视频',
    audio: () => '收听音频',
  },
  en: {
    img: (alt: string) => (alt ? `View picture: ${alt}` : 'View picture'),
    video: () => 'Watch the video',
    audio: () => 'Listen to the recording',
  },
}

/**
 * Restricts the media of a sanitised text to our own origin, as the page's CSP allows no other. A medium that may not
 * be shown is replaced by a link to it, or, inside a link, by plain words, as links do not nest. Quotes and angle
 * brackets in attribute values are escaped, so tags can be matched by pattern.
 * @param allowedAddressOf the browser's address of a picture, if it may be shown
 */
export function withOwnMedia(
  html: string,
  language: Language,
  allowedAddressOf: (source: string) => string | undefined,
): string {
  let inLink = false
  const replacement = (name: 'img' | 'video' | 'audio', source: string, alt: string) => {
    const text = labels[language][name](alt)
    return inLink || !/^https?:/i.test(source)
      ? `<span class="picture-elsewhere">${text}</span>`
      : `<a class="picture-elsewhere" href="${source}" rel="noopener noreferrer" target="_blank">${text}</a>`
  }
  return html
    .replaceAll(
      /<(video|audio)\b([^>]*)>([\s\S]*?)<\/\1>/g,
      (element, name: 'video' | 'audio', rest: string, children: string) => {
        const sources = [
          rest,
          ...[...children.matchAll(/<source\b([^>]*)>/g)].map(([, allowed]) => allowed),
        ]
          .map((attributes) => attribute(attributes ?? '', 'src'))
          .filter(Boolean)
        // Video and audio are played only from our files: another host would learn who reads the article.
        if (sources.length > 0 && sources.every((source) => ownFilePattern.test(source)))
          return element
        return replacement(name, sources[0] ?? '', '')
      },
    )
    .replaceAll(/<(\/?)(a|img)\b([^>]*)>/g, (tag, end: string, name: string, rest: string) => {
      if (name === 'a') {
        inLink = end === ''
        return tag
      }
      const source = attribute(rest, 'src')
      const allowed = allowedAddressOf(source.replaceAll('&amp;', '&'))
      if (allowed)
        return tag.replace(/\ssrc="[^"]*"/, () => ` src="${allowed.replaceAll('&', '&amp;')}"`)
      return replacement('img', source, attribute(rest, 'alt'))
    })
}

/** Whether a text embeds this file. */
export const embedsFile = (html: string, id: string | null) =>
  id !== null && new RegExp(`"/files/${id}["/?]`).test(html)

const ownFilePattern = /^\/files\/\d+(?:[/?]|$)/

const attribute = (attributes: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''

/**
 * Converts a first and last day to instants in the institution's zone; the second is the start of the following day.
 */
export function dayBounds(from: string | undefined, to: string | undefined, timeZone: string) {
  const start = (day: string | undefined, add: number) => {
    if (!day) return undefined
    try {
      return Temporal.PlainDate.from(day)
        .add({ days: add })
        .toZonedDateTime(timeZone)
        .toInstant()
        .toString()
    } catch {
      return fail('request.invalid', { fields: { [add ? 'to' : 'from']: 'format' } })
    }
  }
  return { from: start(from, 0), until: start(to, 1) }
}

/** A summary written by an author. One generated from the beginning of the text would repeat it and is left out. */
export function leadOf(summary: string, body: string) {
  const normalize = (text: string) => text.replace(/[\s…]/g, '')
  return normalize(plainText(body)).startsWith(normalize(summary)) ? '' : summary
}
