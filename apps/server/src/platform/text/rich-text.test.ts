import { expect, test } from 'vitest'
import { cleanRichText, plainLines, plainText } from './rich-text.ts'

test.each([
  ['<script>x()</script><style>p{}</style>a', 'a'],
  ['<p style="position:fixed" class="x" onclick="x()">a</p>', '<p>a</p>'],
  ['<a href="javascript:x()">a</a>', '<a rel="noopener noreferrer" target="_blank">a</a>'],
  [
    '<a href="https://e.edu/" target="_top">a</a>',
    '<a href="https://e.edu/" rel="noopener noreferrer" target="_blank">a</a>',
  ],
  ['<img src="data:image/svg+xml;base64,x" onerror="x()">', ''],
  [
    '<svg><a xlink:href="javascript:x()">b</a></svg><form action="/x"><input></form><iframe src="https://e.edu"></iframe>',
    '<a rel="noopener noreferrer" target="_blank">b</a>',
  ],
  [
    '<table><tr><td colspan="2">1 &lt; 2</td></tr></table>',
    '<table><tr><td colspan="2">1 &lt; 2</td></tr></table>',
  ],
  [
    '<video src="/files/1" autoplay poster="https://e.edu/p.png" onplay="x()"></video><audio><source src="data:audio/x,y"></audio>',
    '<video src="/files/1" controls preload="none"></video><audio controls preload="none"><source /></audio>',
  ],
])('sanitises %s', (html, clean) => {
  expect(cleanRichText(html)).toBe(clean)
})

test('relative addresses are resolved against the base address', () => {
  expect(cleanRichText('<img src="b.png">', 'https://e.edu/a/')).toBe(
    '<img src="https://e.edu/a/b.png" loading="lazy" />',
  )
})

test('plain text separates words and decodes entities', () => {
  expect(plainText('<p>一</p><p>2 &amp;lt; 3&nbsp;4<br>五</p><script>x</script>')).toBe(
    '一 2 &lt; 3 4 五',
  )
})

test.each([
  ['<p>一<br>二</p><p>三 &amp; <strong>四</strong></p>', '一\n二\n\n三 & 四'],
  [
    '<h2>A</h2><ul><li><p>b</p></li><li>c</li></ul><ol><li>d</li><li>e</li></ol>f',
    'A\n\n- b\n- c\n\n1. d\n2. e\n\nf',
  ],
  [
    '<p><a href="https://e.edu/x" rel="x">here</a> <a href="https://e.edu/">https://e.edu/</a></p>',
    'here (https://e.edu/x) https://e.edu/',
  ],
])('converts %s to lines', (html, text) => {
  expect(plainLines(html)).toBe(text)
})
