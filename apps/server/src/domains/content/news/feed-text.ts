import { StartError } from '#platform/environment.ts'

/** The text of a feed, with names the parser knows. @throws StartError */
export const feedText = (bytes: Uint8Array, charset: string | undefined, from: string): string =>
  withoutRootPrefix(decodeXml(bytes, charset, from))

/**
 * XML allows a prefix on the root (`<atom:feed>`, `<rss:rss>`) but the parser does not know it: the prefix is removed
 * from tags.
 */
function withoutRootPrefix(xml: string): string {
  const prefix = /<([\w.-]+):(?:feed|rss)(?=[\s>])/i.exec(xml.slice(0, 5000))?.[1]
  if (!prefix) return xml
  const tags = new RegExp(
    `<!\\[CDATA\\[[\\s\\S]*?\\]\\]>|<!--[\\s\\S]*?-->|(</?)${prefix}:|(\\sxmlns):${prefix}(?==)`,
    'g',
  )
  return xml.replaceAll(
    tags,
    (found, open?: string, namespace?: string) => open ?? namespace ?? found,
  )
}

/**
 * A truncated feed up to its last complete article, for example after a broken connection.
 * @returns undefined if the feed is complete, an empty text if it contains no complete article
 */
export function repairTruncatedFeed(xml: string): string | undefined {
  const root = /^\s*</.test(xml) ? /<(rss|feed|rdf:RDF)[\s>]/i.exec(xml)?.[1] : undefined
  if (!root || new RegExp(`</${root}\\s*>\\s*(<!--.*-->\\s*)*$`, 'is').test(xml.slice(-2000)))
    return undefined
  const last = [...xml.matchAll(/<\/(?:item|entry)\s*>/gi)].at(-1)
  const whole = xml.slice(0, last ? last.index + last[0].length : 0)
  return last ? `${whole}${root.toLowerCase() === 'rss' ? '</channel>' : ''}</${root}>` : ''
}

/** Decodes an XML document with the charset of the response, then that of the document, then UTF-8, else GB18030. */
export function decodeXml(bytes: Uint8Array, charset: string | undefined, from: string): string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const utf32Order = utf32Of(start, charset)
  if (utf32Order) return decodeUtf32(bytes, utf32Order, from)
  const markedEncoding = start.startsWith('\xef\xbb\xbf')
    ? 'utf-8'
    : start.startsWith('\xff\xfe')
      ? 'utf-16le'
      : start.startsWith('\xfe\xff')
        ? 'utf-16be'
        : // Without a byte order mark, detected by the first character.
          start.startsWith('<\0')
          ? 'utf-16le'
          : start.startsWith('\0<')
            ? 'utf-16be'
            : undefined
  const declared =
    markedEncoding ??
    charset ??
    /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1]
  // Documents labelled GBK or GB2312 actually contain GB18030.
  const label = declared && /^(gb2312|gbk|gb_2312-80|x-gbk)$/i.test(declared) ? 'gb18030' : declared
  for (const encoding of label ? [label, 'utf-8'] : ['utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      // try the next one, or throw below
    }
  }
  throw new StartError(`${from} is not a text in ${declared ?? 'UTF-8 or GB18030'}.`)
}

/** Detects UTF-32 by byte order mark, first character or response charset; the platform has no decoder for it. */
function utf32Of(start: string, charset: string | undefined): 'le' | 'be' | undefined {
  if (/^(\xff\xfe\0\0|<\0\0\0)/.test(start)) return 'le'
  if (/^(\0\0\xfe\xff|\0\0\0<)/.test(start)) return 'be'
  const match = /^utf-?32(le|be)?$/i.exec(charset ?? '')
  return match ? (match[1]?.toLowerCase() === 'le' ? 'le' : 'be') : undefined
}

function decodeUtf32(bytes: Uint8Array, order: 'le' | 'be', from: string): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  try {
    for (let offset = 0; offset < bytes.length; offset += 4)
      parts.push(String.fromCodePoint(view.getUint32(offset, order === 'le')))
  } catch {
    throw new StartError(`${from} is not a text in UTF-32.`)
  }
  return parts.join('').replace(/^\uFEFF/, '')
}
