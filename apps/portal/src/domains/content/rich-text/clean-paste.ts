/*
 * Pasted HTML has the structure of its source program: Word uses paragraphs that only look like lists, and its own
 * tags; WeChat uses nested sections and lazy-loaded pictures. The meaning is kept, the styling removed. The editor then
 * drops everything it does not know, and the server sanitises again.
 */

/** Reduces pasted HTML to headings, paragraphs, lists, tables, links and pictures. */
export function cleanPaste(html: string): string {
  const document = new DOMParser().parseFromString(withoutComments(html), 'text/html')
  const { body } = document
  for (const element of body.querySelectorAll(
    'style, script, meta, link, title, xml, noscript, iframe, svg, mp-common-profile, mp-style-type',
  ))
    element.remove()
  if (/mso-|urn:schemas-microsoft-com|class="?Mso/i.test(html)) cleanWord(body)
  cleanPictures(body)
  cleanSpans(body)
  unwrapSections(body)
  for (const element of body.querySelectorAll('*'))
    for (const { name } of [...element.attributes])
      if (!keptAttributes.has(name)) element.removeAttribute(name)
  liftPictures(body)
  dropEmpty(body)
  return body.innerHTML
}

const keptAttributes = new Set([
  'href',
  'src',
  'alt',
  'colspan',
  'rowspan',
  'scope',
  'start',
  'data-tex',
])

/** Word duplicates much content in conditional comments. */
const withoutComments = (html: string) =>
  html
    .replaceAll(/<!--\[if[\s\S]*?<!\[endif\]-->/gi, '')
    .replaceAll(/<!\[if[^>]*>|<!\[endif\]>/gi, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')

function unwrap(element: Element) {
  element.replaceWith(...element.childNodes)
}
function rename(element: Element, name: string) {
  const renamed = element.ownerDocument.createElement(name)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
  return renamed
}

// ---- Word ----

function cleanWord(body: HTMLElement) {
  for (const element of [...body.querySelectorAll('*')])
    if (/^(o|w|v|m|st1):/i.test(element.tagName)) unwrap(element)
  for (const title of body.querySelectorAll('p.MsoTitle')) rename(title, 'h2')
  const items = [...body.querySelectorAll<HTMLElement>('p')].filter(isItem)
  const consumed = new Set<Element>()
  for (const item of items) {
    if (consumed.has(item)) continue
    const run: HTMLElement[] = []
    for (let next: Element | null = item; next && isItem(next); next = next.nextElementSibling)
      run.push(next as HTMLElement)
    for (const one of run) consumed.add(one)
    const [first] = run
    const list = listOf(run)
    first?.before(list)
    for (const one of run) one.remove()
  }
}

const styleOf = (element: Element) => element.getAttribute('style') ?? ''
const isItem = (element: Element): element is HTMLElement =>
  element.tagName === 'P' &&
  /mso-list:\s*(?!none|skip)\S+\s+level\d/i.test(styleOf(element).replaceAll('\n', ' '))
const levelOf = (item: Element) => Number(/level(\d)/i.exec(styleOf(item))?.[1] ?? 1)

/** Removes and returns the marker before an item, which shows whether the item is numbered. */
function takeMarker(item: HTMLElement): string {
  const marker = [...item.querySelectorAll('span')].find((span) =>
    /mso-list:\s*ignore/i.test(styleOf(span)),
  )
  const text = marker?.textContent?.replaceAll(/\s|\u00a0/g, '') ?? ''
  marker?.remove()
  return text
}
/** A single letter without punctuation is a bullet from a symbol font. */
const isNumbered = (marker: string) =>
  /^[(（]?(\d+|[ivxlcm]+|[a-z]|[一二三四五六七八九十]+)[.)）、．]$|^\d+$/i.test(marker)

/** Converts paragraphs that look like a list into one, nested by level. */
function listOf(items: readonly HTMLElement[]): HTMLElement {
  const stack: { level: number; list: HTMLElement }[] = []
  let root: HTMLElement | undefined
  for (const item of items) {
    const level = levelOf(item)
    const name = isNumbered(takeMarker(item)) ? 'ol' : 'ul'
    while (stack.length > 1 && level < (stack[stack.length - 1]?.level ?? 0)) stack.pop()
    let top = stack[stack.length - 1]
    if (!top || level > top.level) {
      const list = item.ownerDocument.createElement(name)
      if (top) (top.list.lastElementChild ?? top.list).append(list)
      root ??= list
      top = { level, list }
      stack.push(top)
    }
    const row = item.ownerDocument.createElement('li')
    const text = item.ownerDocument.createElement('p')
    text.append(...item.childNodes)
    row.append(text)
    top.list.append(row)
  }
  return root as HTMLElement
}

// ---- pictures, spans, sections ----

/** Lazy-loaded pictures have their address in `data-src`; local files of the writer cannot be fetched. */
function cleanPictures(body: HTMLElement) {
  for (const image of body.querySelectorAll('img')) {
    const later = image.getAttribute('data-src')
    if (later) image.setAttribute('src', later)
    const source = image.getAttribute('src') ?? ''
    if (!/^(https?:)?\/\//i.test(source) && !source.startsWith('/files/')) image.remove()
    else if (source.startsWith('//')) image.setAttribute('src', `https:${source}`)
  }
}

/** Tags equivalent to a span's style. */
const marks: [RegExp, string][] = [
  [/font-weight:\s*(bold|[6-9]00)/i, 'strong'],
  [/font-style:\s*italic/i, 'em'],
  [/text-decoration[^;]*underline/i, 'u'],
  [/text-decoration[^;]*line-through/i, 's'],
  [/vertical-align:\s*super/i, 'sup'],
  [/vertical-align:\s*sub(?!-)/i, 'sub'],
]
function cleanSpans(body: HTMLElement) {
  for (const span of [...body.querySelectorAll('span, font')]) {
    if (span.hasAttribute('data-tex')) continue
    const style = styleOf(span)
    if (/mso-hide:\s*all|display:\s*none/i.test(style)) {
      span.remove()
      continue
    }
    for (const [shape, name] of marks)
      if (shape.test(style) && span.textContent?.trim()) {
        const mark = span.ownerDocument.createElement(name)
        mark.append(...span.childNodes)
        span.append(mark)
      }
    unwrap(span)
  }
}

const blocks = 'p, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, pre, figure, div, section, hr'
/** Sections that contain blocks are unwrapped; the innermost ones become paragraphs. */
function unwrapSections(body: HTMLElement) {
  const sections = [...body.querySelectorAll('section, div:not([data-tex]), article, center')]
  for (const section of sections.reverse())
    if (section.querySelector(blocks)) wrapLoose(section)
    else rename(section, 'p')
}
/** Wraps loose text between the blocks of a section in paragraphs. */
function wrapLoose(section: Element) {
  let paragraph: Element | undefined
  for (const node of [...section.childNodes]) {
    const block = node instanceof Element && node.matches(`${blocks}, img`)
    if (block || (node instanceof Text && !node.data.trim())) {
      paragraph = undefined
      continue
    }
    if (!paragraph) {
      paragraph = section.ownerDocument.createElement('p')
      node.before(paragraph)
    }
    paragraph.append(node)
  }
  unwrap(section)
}

/** Unwraps a picture alone in a paragraph: the editor would leave an empty paragraph before it. */
function liftPictures(body: HTMLElement) {
  for (const paragraph of body.querySelectorAll('p'))
    if (paragraph.querySelector('img') && !paragraph.textContent?.trim()) unwrap(paragraph)
}

function dropEmpty(body: HTMLElement) {
  for (const element of [...body.querySelectorAll('p, h1, h2, h3, h4, h5, h6, strong, em, u, a')])
    if (!element.textContent?.replaceAll('\u00a0', ' ').trim() && !element.querySelector('img, br'))
      element.remove()
    else if (element.matches('p') && !element.textContent?.replaceAll('\u00a0', ' ').trim())
      if (!element.querySelector('img')) element.remove()
}
