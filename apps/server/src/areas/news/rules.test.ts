import { expect, test } from 'vitest'
import { cleanRichText } from '#platform/rich-text.ts'
import { withOwnPictures } from './rules.ts'

const addressOf = (source: string) =>
  source.startsWith('https://img.example.edu/')
    ? `/thumbor/unsafe/${encodeURIComponent(source)}`
    : source.startsWith('/files/')
      ? source
      : undefined
const shown = (html: string, language: 'zh' | 'en' = 'zh') =>
  withOwnPictures(cleanRichText(html, 'https://news.example.edu/'), language, addressOf)

test('a picture of a listed host comes through us, with its size and its words', () => {
  expect(
    shown('<p><img src="https://img.example.edu/a.png?b=1&amp;c=2" alt="A &gt; B" width="9"></p>'),
  ).toBe(
    '<p><img alt="A &gt; B" width="9" src="/thumbor/unsafe/https%3A%2F%2Fimg.example.edu%2Fa.png%3Fb%3D1%26c%3D2" loading="lazy" /></p>',
  )
})

test('our own stay', () => {
  const html = '<img src="/files/7" alt="" loading="lazy" />'
  expect(withOwnPictures(html, 'zh', addressOf)).toBe(html)
})

test('of any other a link is left, in the language of the text', () => {
  const html = '<p>1<img src="https://elsewhere.example/a.png?b&amp;c" alt="A &quot;B&quot;">2</p>'
  expect(shown(html, 'en')).toBe(
    '<p>1<a class="picture-elsewhere" href="https://elsewhere.example/a.png?b&amp;c" rel="noopener noreferrer" target="_blank">View picture: A &quot;B&quot;</a>2</p>',
  )
  expect(shown('<img src="/a.png">')).toContain('>查看图片</a>')
})

test('within a link just the words are left', () => {
  expect(
    shown(
      '<a href="https://a.example/"><img src="https://b.example/c.png" alt="C"></a><img src="https://b.example/d.png">',
    ),
  ).toBe(
    '<a href="https://a.example/" rel="noopener noreferrer" target="_blank"><span class="picture-elsewhere">查看图片：C</span></a>' +
      '<a class="picture-elsewhere" href="https://b.example/d.png" rel="noopener noreferrer" target="_blank">查看图片</a>',
  )
})

test('nothing that a picture says of itself becomes a tag', () => {
  const html = shown(
    '<img src="https://b.example/&quot;&gt;&lt;script&gt;" alt="&lt;img src=x onerror=1&gt;">',
  )
  expect(html).not.toMatch(/<(script|img)/)
})
