import { expect, test } from 'vitest'
import { withFormulas } from './formulas.ts'
import { cleanRichText, plainText } from './rich-text.ts'

const shown = (html: string) => withFormulas(cleanRichText(html))

test('a formula is stored as TeX and rendered as MathML', () => {
  const kept = cleanRichText(
    '<p>设 <span data-tex="a&lt;b^2" class="x" onclick="x()">a&lt;b^2</span>。</p>',
  )
  expect(kept).toBe('<p>设 <span data-tex="a&lt;b^2">a&lt;b^2</span>。</p>')
  expect(withFormulas(kept)).toMatch(/^<p>设 <math><mrow>.*<msup>.*<\/math>。<\/p>$/)
  expect(plainText(kept)).toBe('设 a<b^2。')
  expect(shown('<div data-tex="\\frac{1}{2}"></div>')).toMatch(/^<math display="block">.*<mfrac>/)
})

test.each([
  ['a link', '\\href{javascript:alert(1)}{x}'],
  ['markup', '\\htmlData{x=1}{y}'],
  ['an image', '\\includegraphics{https://e.edu/x.png}'],
  ['an attribute', '\\htmlStyle{color:red}{x}'],
  ['tags', '</span><script>x()</script>'],
  ['tags as text', '\\text{<img src=x onerror=x()>}'],
  ['invalid TeX', '\\frac{1}{'],
  ['infinite recursion', '\\def\\a{\\a\\a}\\a'],
  ['a huge size', '\\rule{99999em}{99999em}'],
])('%s in a formula renders no unsafe HTML', (_, tex) => {
  const html = shown(`<p><span data-tex="${tex.replaceAll('"', '&quot;')}">f</span></p>`)
  expect(html).not.toMatch(/<(script|img|a|span)\b|<[^>]*\s(href|style|on\w+|src|data-\w+)=/)
})

test('MathML in the input is removed, and a formula that is too long is not rendered', () => {
  expect(shown('<math><mtext><img src=x onerror=x()></mtext></math>')).not.toMatch(/math|onerror/)
  expect(shown(`<p><span data-tex="${'x'.repeat(2001)}">f</span></p>`)).toBe(
    '<p><span>f</span></p>',
  )
})
