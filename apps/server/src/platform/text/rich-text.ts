import sanitizeHtml from 'sanitize-html'

/** Text, images, audio, video, tables and links; no scripts, forms, frames or styles. */
const allowed = {
  allowedTags: [
    'p',
    'br',
    'hr',
    'div',
    'span',
    'blockquote',
    'pre',
    'code',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'strong',
    'b',
    'em',
    'i',
    'u',
    's',
    'del',
    'ins',
    'sub',
    'sup',
    'small',
    'mark',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'a',
    'img',
    'figure',
    'figcaption',
    'video',
    'audio',
    'source',
    'table',
    'caption',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
  ],
  allowedAttributes: {
    a: ['href', 'title', 'rel', 'target'],
    img: ['src', 'alt', 'title', 'width', 'height', 'loading'],
    video: ['src', 'width', 'height', 'controls', 'preload'],
    audio: ['src', 'controls', 'preload'],
    source: ['src', 'type'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
    // TeX for formulas.ts; the element's text is the same TeX.
    span: ['data-tex'],
    div: ['data-tex'],
    '*': ['lang', 'dir'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: {
    img: ['http', 'https'],
    video: ['http', 'https'],
    audio: ['http', 'https'],
    source: ['http', 'https'],
  },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  selfClosing: ['img', 'br', 'hr', 'source'],
} satisfies sanitizeHtml.IOptions

/**
 * Sanitises HTML from outside with the only list of allowed content. All HTML in the database has passed through here.
 * @param base resolves relative addresses
 */
export function cleanRichText(html: string, base = ''): string {
  const complete = (address: string | undefined) =>
    address && base && URL.canParse(address, base) ? new URL(address, base).href : address
  return sanitizeHtml(html, {
    ...allowed,
    transformTags: {
      span: (_, attributes) => formula('span', attributes),
      div: (_, attributes) => formula('div', attributes),
      a: (_, { href, title, ...rest }) => ({
        tagName: 'a',
        attribs: {
          ...pick(rest),
          ...(title && { title }),
          ...(href && { href: complete(href) as string }),
          // The linked page must not control ours through `window.opener`, nor receive a referrer.
          rel: 'noopener noreferrer',
          target: '_blank',
        },
      }),
      video: (_, attributes) => media('video', attributes, complete),
      audio: (_, attributes) => media('audio', attributes, complete),
      source: (_, { src, ...rest }) => ({
        tagName: 'source',
        attribs: { ...rest, ...(src && { src: complete(src) as string }) },
      }),
      img: (_, { src, ...rest }) => ({
        tagName: 'img',
        attribs: { ...rest, ...(src && { src: complete(src) as string }), loading: 'lazy' },
      }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
  }).trim()
}

/**
 * Replaces the images of a sanitised text.
 * @param pictureFor returns the new address; the image is removed without one
 */
export const mapPictures = (html: string, pictureFor: (src: string) => string | undefined) =>
  sanitizeHtml(html, {
    ...allowed,
    transformTags: {
      img: (tagName, attribs) => ({
        tagName,
        attribs: { ...attribs, src: pictureFor(attribs.src ?? '') ?? '' },
      }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
  })

/** Maximum length of a formula's TeX. */
export const maxFormula = 2000

/** Keeps only a formula's TeX and drops its other attributes: `withFormulas` matches the tag exactly. */
const formula = (tagName: 'span' | 'div', attributes: Record<string, string>) => {
  const { 'data-tex': tex, ...rest } = attributes
  return {
    tagName,
    attribs: tex?.trim() && tex.length <= maxFormula ? { 'data-tex': tex } : pick(rest),
  }
}

/** Plays only on demand: no autoplay, no preload. */
const media = (
  tagName: 'video' | 'audio',
  { src, ...rest }: Record<string, string>,
  complete: (address: string | undefined) => string | undefined,
) => ({
  tagName,
  attribs: {
    ...rest,
    ...(src && { src: complete(src) as string }),
    controls: '',
    preload: 'none',
  },
})
const pick = ({ lang, dir }: Record<string, string>) => ({
  ...(lang && { lang }),
  ...(dir && { dir }),
})

/** The text of HTML on one line. */
export function plainText(html: string): string {
  const spaced = html.replaceAll(/<(br|\/p|\/div|\/li|\/h\d|\/td|\/tr)\b/gi, ' <$1')
  return withoutTags(spaced)
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .trim()
}

/** The text of HTML for a mail, with paragraphs, lists and link addresses. */
export function plainLines(html: string): string {
  let number = 0
  const marked = html
    .replaceAll(/\s+/g, ' ')
    // The editor wraps each list item's content in a paragraph.
    .replaceAll(/<li\b[^>]*> ?<p>/gi, '<li>')
    .replaceAll(/<\/p> ?<\/li>/gi, '</li>')
    .replaceAll(
      /<a [^>]*href="(https?:[^"]+)"[^>]*>(.*?)<\/a>/gi,
      (_, href: string, inner: string) =>
        withoutTags(inner).trim() === href ? inner : `${inner} (${href})`,
    )
    .replaceAll(/<(ol|ul|li)\b[^>]*>/gi, (_, tag: string) => {
      if (tag.toLowerCase() === 'li') return number > 0 ? `\n${number++}. ` : '\n- '
      number = tag.toLowerCase() === 'ol' ? 1 : 0
      return '\n'
    })
    .replaceAll(/<br\b[^>]*>/gi, '\n')
    .replaceAll(/<\/(p|div|h\d|ul|ol|blockquote|pre|tr|table)>/gi, '\n\n')
    .replaceAll(/<\/t[dh]>/gi, '  ')
  return withoutTags(marked)
    .replaceAll('\u00a0', ' ')
    .replaceAll(/[ \t]*\n[ \t]*/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

const withoutTags = (html: string) =>
  sanitizeHtml(html, {
    allowedTags: [],
    allowedAttributes: {},
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript'],
  })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
