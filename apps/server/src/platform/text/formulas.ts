import katex from 'katex'
import { LRUCache } from 'lru-cache'
import sanitizeHtml from 'sanitize-html'
import { escapeHtml } from './escape-html.ts'
import { maxFormula } from './rich-text.ts'

/*
 * A formula is kept as TeX in an attribute of an otherwise plain element (rich-text.ts), and becomes MathML on its way to
 * readers: browsers draw it without a style sheet or a font of ours, screen readers read it, and no MathML from outside is
 * ever let in.
 */

const drawn = new LRUCache<string, string>({ max: 2000 })
/** A text of nothing but formulas is nobody's article. */
const maxFormulas = 500

/** Attribute values have their quotes and angle brackets escaped, so that a formula is found as itself. */
const formulas = /<(span|div) data-tex="([^"]*)">([^<]*)<\/\1>/g

/** A sanitised text with its formulas as MathML; one that is no TeX stays as it was typed. */
export function withFormulas(html: string): string {
  let count = 0
  return html.replaceAll(formulas, (element, tag: 'span' | 'div', escaped: string) =>
    ++count > maxFormulas ? element : mathOf(unescaped(escaped), tag === 'div'),
  )
}

/** @param block on a line of its own */
function mathOf(tex: string, block: boolean): string {
  const key = `${block ? 'b' : 'i'}${tex}`
  const known = drawn.get(key)
  if (known !== undefined) return known
  const math = draw(tex, block)
  drawn.set(key, math)
  return math
}

function draw(tex: string, block: boolean): string {
  try {
    if (tex.length > maxFormula) throw new Error('too long')
    const html = katex.renderToString(tex, {
      output: 'mathml',
      displayMode: block,
      throwOnError: true,
      strict: 'ignore',
      // Links, pictures and markup of its own would be a way around the list of what a text may hold.
      trust: false,
      maxSize: 20,
      maxExpand: 200,
    })
    return sanitizeHtml(html, mathml).trim()
  } catch {
    const text = escapeHtml(tex)
    return block ? `<pre><code>${text}</code></pre>` : `<code>${text}</code>`
  }
}

/** What KaTeX writes and browsers draw, without styles, which the portal's policy refuses. */
const mathml: sanitizeHtml.IOptions = {
  allowedTags: [
    'math',
    'mrow',
    'mi',
    'mn',
    'mo',
    'ms',
    'mtext',
    'mspace',
    'mfrac',
    'msqrt',
    'mroot',
    'mstyle',
    'mpadded',
    'mphantom',
    'menclose',
    'merror',
    'msub',
    'msup',
    'msubsup',
    'munder',
    'mover',
    'munderover',
    'mtable',
    'mtr',
    'mtd',
  ],
  allowedAttributes: {
    math: ['display'],
    '*': [
      'mathvariant',
      'mathsize',
      'mathcolor',
      'stretchy',
      'fence',
      'form',
      'separator',
      'symmetric',
      'largeop',
      'movablelimits',
      'lspace',
      'rspace',
      'accent',
      'accentunder',
      'minsize',
      'maxsize',
      'linethickness',
      'columnalign',
      'columnspacing',
      'rowspacing',
      'columnlines',
      'rowlines',
      'notation',
      'scriptlevel',
      'displaystyle',
      'width',
      'height',
      'depth',
      'voffset',
    ],
  },
  // TeX beside the drawing would be said twice, and found twice by whoever searches the page.
  nonTextTags: ['annotation', 'script', 'style'],
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
