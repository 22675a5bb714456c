import { expect, test } from 'vitest'
import { articleHtml } from './article-html.ts'

test('headings go one level down', () => {
  expect(articleHtml('<h2 id="a">A</h2><h6>B</h6><hr>', 'T')).toBe(
    '<h3 id="a">A</h3><h6>B</h6><hr>',
  )
})

test('a table gets a frame that can be reached and scrolled', () => {
  expect(articleHtml('<table><tr><td>1</td></tr></table><p>&lt;table&gt;</p>', 'T')).toBe(
    '<div class="article-table" tabindex="0" role="region" aria-label="T"><table><tr><td>1</td></tr></table></div><p>&lt;table&gt;</p>',
  )
})
