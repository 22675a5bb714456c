import { expect, test } from 'vitest'
import { articleVector, excerptOf, parseSearchQuery, textOf } from './search-words.ts'

const none = { title: '', title_en: '', summary: '', body: '', body_en: '' }

test('words have their places, also those within longer ones; a title weighs most', async () => {
  const vector = await articleVector({ ...none, title: '清华大学', body: '<p>大学</p>' })
  expect(vector.split(' ').toSorted()).toEqual([
    "'华大':11A",
    "'大学':11A,42",
    "'清华':11A",
    "'清华大学':11A",
  ])
})

test('signs of a tsvector are letters like others', async () => {
  expect(await articleVector({ ...none, title: "it's a\\b" })).not.toMatch(/[^']\\[^\\]/)
})

test.each([
  ['奖学金 评审', "'奖学金' & '评审'"],
  ['“奖学金评审”', "('奖学金' <-> '评审')"],
  ['"library card', "'library':* & 'card':*"],
  ['library', "'library':*"],
  ['""', undefined],
  ['&|!', undefined],
])('%s is looked for as %s', async (typed, query) => {
  expect((await parseSearchQuery(typed))?.query).toBe(query)
})

test('an excerpt stands around the first word', () => {
  const text = `${'前'.repeat(100)}奖学金${'后'.repeat(200)}`
  expect(excerptOf(['没有', text], ['奖学金'])).toBe(`…${'前'.repeat(30)}奖学金${'后'.repeat(87)}…`)
  expect(excerptOf(['开头', ''], ['别的'])).toBe('开头')
})

test('a text says what its tags hold', () => {
  expect(textOf('<p>1 &lt; 2 &amp;amp; <b>三</b></p>')).toBe('1 < 2 &amp; 三')
})
