import { expect, test } from 'vitest'
import { cleanRichText } from '#platform/text/rich-text.ts'
import { dayBounds, withOwnMedia } from './rules.ts'

const addressOf = (source: string) =>
  source.startsWith('https://img.example.edu/')
    ? `/thumbor/unsafe/${encodeURIComponent(source)}`
    : source.startsWith('/files/')
      ? source
      : undefined
const shown = (html: string, language: 'zh' | 'en' = 'zh') =>
  withOwnMedia(cleanRichText(html, 'https://news.example.edu/'), language, addressOf)

test('a picture from a listed host is proxied and keeps its width and alt text', () => {
  expect(
    shown('<p><img src="https://img.example.edu/a.png?b=1&amp;c=2" alt="A &gt; B" width="9"></p>'),
  ).toBe(
    '<p><img alt="A &gt; B" width="9" src="/thumbor/unsafe/https%3A%2F%2Fimg.example.edu%2Fa.png%3Fb%3D1%26c%3D2" loading="lazy" /></p>',
  )
})

test('our own pictures are unchanged', () => {
  const html = '<img src="/files/7" alt="" loading="lazy" />'
  expect(withOwnMedia(html, 'zh', addressOf)).toBe(html)
})

test('any other picture is replaced by a link in the language of the text', () => {
  const html = '<p>1<img src="https://elsewhere.example/a.png?b&amp;c" alt="A &quot;B&quot;">2</p>'
  expect(shown(html, 'en')).toBe(
    '<p>1<a class="picture-elsewhere" href="https://elsewhere.example/a.png?b&amp;c" rel="noopener noreferrer" target="_blank">View picture: A &quot;B&quot;</a>2</p>',
  )
  expect(shown('<img src="/a.png">')).toContain('>查看图片</a>')
})

test('a picture inside a link is replaced by its description only', () => {
  expect(
    shown(
      '<a href="https://a.example/"><img src="https://b.example/c.png" alt="C"></a><img src="https://b.example/d.png">',
    ),
  ).toBe(
    '<a href="https://a.example/" rel="noopener noreferrer" target="_blank"><span class="picture-elsewhere">查看图片：C</span></a>' +
      '<a class="picture-elsewhere" href="https://b.example/d.png" rel="noopener noreferrer" target="_blank">查看图片</a>',
  )
})

test('the address and alt text of a picture cannot inject tags', () => {
  const html = shown(
    '<img src="https://b.example/&quot;&gt;&lt;script&gt;" alt="&lt;img src=x onerror=1&gt;">',
  )
  expect(html).not.toMatch(/<(script|img)/)
})

test('our own video is kept; other audio and video is replaced by a link', () => {
  const own = '<video src="/files/7" controls="" preload="none"></video>'
  expect(withOwnMedia(own, 'zh', () => undefined)).toBe(own)
  expect(
    withOwnMedia(
      '<audio controls=""><source src="https://e.edu/a.mp3" /></audio>',
      'en',
      () => undefined,
    ),
  ).toBe(
    '<a class="picture-elsewhere" href="https://e.edu/a.mp3" rel="noopener noreferrer" target="_blank">Listen to the recording</a>',
  )
  expect(withOwnMedia('<video src="/thumbor/x"></video>', 'zh', () => undefined)).toBe(
    '<span class="picture-elsewhere">观看视频</span>',
  )
})

test('a date range covers whole days in the institution’s time zone', () => {
  expect(dayBounds('2026-03-05', '2026-03-05', 'Asia/Shanghai')).toEqual({
    from: '2026-03-04T16:00:00Z',
    until: '2026-03-05T16:00:00Z',
  })
  expect(() => dayBounds('2026-02-31', undefined, 'Asia/Shanghai')).toThrow('request.invalid')
})
