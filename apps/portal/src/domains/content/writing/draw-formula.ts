import katex from 'katex'

/**
 * A formula as MathML, as readers get it (the server renders theirs itself). Styles are removed, since the page's
 * Content-Security-Policy forbids them.
 * @returns undefined if it is not valid TeX
 */
export function drawFormula(tex: string, block: boolean): string | undefined {
  try {
    return katex
      .renderToString(tex, {
        output: 'mathml',
        displayMode: block,
        throwOnError: true,
        strict: 'ignore',
        trust: false,
        maxSize: 20,
        maxExpand: 200,
      })
      .replaceAll(/<annotation[\s\S]*?<\/annotation>/g, '')
      .replaceAll(/ style="[^"]*"/g, '')
  } catch {
    return undefined
  }
}

/** The editor's HTML with rendered formulas, as readers see it. */
export function withDrawnFormulas(html: string): string {
  if (!html.includes('data-tex')) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll('[data-tex]')) {
    const tex = element.getAttribute('data-tex') ?? ''
    const math = drawFormula(tex, element.tagName === 'DIV')
    if (math) {
      const drawn = new DOMParser().parseFromString(math, 'text/html').querySelector('math')
      if (drawn) element.replaceWith(drawn)
    }
  }
  return body.innerHTML
}
