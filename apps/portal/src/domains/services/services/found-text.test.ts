import { expect, test } from 'vitest'
import { partsOf } from './found-text.tsx'

const marked = (text: string, words: string) =>
  partsOf(text, words)
    .map(({ part, found }) => (found ? `[${part}]` : part))
    .join('')

test.each([
  ['成绩查询', '成绩', '[成绩]查询'],
  ['Library and LIBRARIES', 'libr', '[Libr]ary and [LIBR]ARIES'],
  ['校车', 'xc', '校车'],
  ['aaa', 'aa', '[aa]a'],
  ['校园网', '  ', '校园网'],
  ['(a+b)', '+', '(a[+]b)'],
  ['', 'a', ''],
])('%s, looked for %s', (text, words, expected) => {
  expect(marked(text, words)).toBe(expected)
})
