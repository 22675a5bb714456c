import katex from 'katex'
import { LRUCache } from 'lru-cache'
import sanitizeHtml from 'sanitize-html'
import { escapeHtml } from './escape-html.ts'
import { maxFormula } from './rich-text.ts'

/*
 * A formula is stored as TeX in an attribute of a plain element (rich-text.ts) and converted to MathML for readers:
 * browsers render it without a stylesheet or font of ours, screen readers read it, and MathML from outside is never
 * accepted.
 */

const drawn = new LRUCache<string, string>({ max: 2000 })
/** Maximum number of formulas rendered per text. */
const maxFormulas = 500

/** In attribute values quotes and angle brackets are escaped, so this matches exactly our formulas. */
const formulas = /<(span|div) data-tex="([^"]*)">([^<]*)<\/\1>/g

/** A sanitised text with its formulas as MathML; invalid TeX is shown as typed. */
export function withFormulas(html: string): string {
  let count = 0
  return html.replaceAll(formulas, (element, tag: 'span' | 'div', escaped: string) =>
    ++count > maxFormulas ? element : mathOf(unescaped(escaped), tag === 'div'),
  )
}

/** @param block on its own line */
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
      // TeX commands for links, images and HTML would bypass the list of allowed content.
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

/** The MathML that KaTeX produces and browsers render, without styles, which the portal's policy forbids. */
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
  // Drop the TeX annotation: it would be read aloud and found by page search a second time.
  nonTextTags: ['annotation', 'script', 'style'],
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
