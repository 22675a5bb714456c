import { expect, test } from 'vitest'
import { articleHtml } from './article-html.ts'

test('headings are moved one level down', () => {
  expect(articleHtml('<h2 id="a">A</h2><h6>B</h6><hr><p>&lt;h2&gt;</p>')).toBe(
    '<h3 id="a">A</h3><h6>B</h6><hr><p>&lt;h2&gt;</p>',
  )
})
