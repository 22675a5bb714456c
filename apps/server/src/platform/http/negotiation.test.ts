import { expect, test } from 'vitest'
import { encodingOf, languageOf } from './negotiation.ts'

test.each([
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['en-GB', 'en'],
  ['EN', 'en'],
  ['en-GB,zh', 'en'],
  [',,en-US', 'en'],
  ['en,zh,en-US', 'en'],
  // Quality values win over order.
  ['fr, en;q=0.3, zh;q=0.9', 'zh'],
  ['zh;q=0, en', 'en'],
  ['zh-Hant-TW', 'zh'],
  ['fr', 'zh'],
  ['*', 'zh'],
  ['', 'zh'],
  [undefined, 'zh'],
  [`${'x,'.repeat(5000)}en`, 'zh'],
])('Accept-Language %j selects the language %s', (header, language) => {
  expect(languageOf(header)).toBe(language)
})

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1, br;q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.000, gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['identity', undefined],
  ['brotli', undefined],
  ['', undefined],
])('Accept-Encoding %j selects the encoding %s', (header, encoding) => {
  expect(encodingOf(header)).toBe(encoding)
  expect(encodingOf(header)).toBe(encoding)
})
