import { expect, test } from 'vitest'
import { articleVector, excerptOf, parseSearchQuery, textOf } from './search-words.ts'

const none = { title: '', title_en: '', summary: '', body: '', body_en: '' }

test('words and the words inside them get positions; title words weigh most', async () => {
  const vector = await articleVector({ ...none, title: '清华大学', body: '<p>大学</p>' })
  expect(vector.split(' ').toSorted()).toEqual([
    "'华大':11A",
    "'大学':11A,42",
    "'清华':11A",
    "'清华大学':11A",
  ])
})

test('special characters of a tsvector are escaped', async () => {
  expect(await articleVector({ ...none, title: "it's a\\b" })).not.toMatch(/[^']\\[^\\]/)
})

test.each([
  ['奖学金 评审', "'奖学金' & '评审'"],
  ['“奖学金评审”', "('奖学金' <-> '评审')"],
  ['"library card', "'library':* & 'card':*"],
  ['library', "'library':*"],
  ['""', undefined],
  ['&|!', undefined],
])('%s is parsed as the query %s', async (typed, query) => {
  expect((await parseSearchQuery(typed))?.query).toBe(query)
})

test('an excerpt surrounds the first matching word', () => {
  const text = `${'前'.repeat(100)}奖学金${'后'.repeat(200)}`
  expect(excerptOf(['没有', text], ['奖学金'])).toBe(`…${'前'.repeat(30)}奖学金${'后'.repeat(87)}…`)
  expect(excerptOf(['开头', ''], ['别的'])).toBe('开头')
})

test('textOf removes tags and decodes entities', () => {
  expect(textOf('<p>1 &lt; 2 &amp;amp; <b>三</b></p>')).toBe('1 < 2 &amp; 三')
})
