import { expect, test } from 'vitest'
import { markedParts } from './marked-text.tsx'

const found = (text: string, ...words: string[]) =>
  markedParts(text, words)
    .map((part) => (part.found ? `[${part.part}]` : part.part))
    .join('')

test('marks the longest matching word, ignoring case', () => {
  expect(found('图书馆与图书', '图书', '图书馆')).toBe('[图书馆]与[图书]')
  expect(found('GraphQL and graphql', 'graphql')).toBe('[GraphQL] and [graphql]')
})

test('matches special characters literally', () => {
  expect(found('a.b a+b (c)', 'a.b', '(c)')).toBe('[a.b] a+b [(c)]')
  expect(found('(a+b)', '+')).toBe('(a[+]b)')
})

test('marks nothing without a matching word', () => {
  expect(found('abc', '')).toBe('abc')
  expect(found('校园网', '  ')).toBe('校园网')
  expect(found('校车', 'xc')).toBe('校车')
  expect(found('', 'a')).toBe('')
})
