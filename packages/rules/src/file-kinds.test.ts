import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanFileName, formatBytes, formatOfName, kindOfFile } from './file-kinds.ts'

test.each([
  ['期末总结.docx', '期末总结.docx'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\我\\照片.jpg', '照片.jpg'],
  ['a\r\nSet-Cookie: x.txt', 'aSet-Cookie: x.txt'],
  ['abc\u202Egpj.exe', 'abcgpj.exe'],
  ['e\u0301te\u0301.pdf', '\u00e9t\u00e9.pdf'],
  ['...', 'file'],
  ['', 'file'],
  [' .htaccess ', 'htaccess'],
  ['a\u0000b.png', 'ab.png'],
])('file name %j is cleaned to %j', (given, kept) => {
  expect(cleanFileName(given)).toBe(kept)
})

test('a long file name is shortened and keeps its extension', () => {
  const name = cleanFileName(`${'长'.repeat(300)}.xlsx`)
  expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(200)
  expect(name).toMatch(/^长+\.xlsx$/)
})

test('a cleaned file name is never empty, one line, without a path and at most 200 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
      const name = cleanFileName(given)
      expect(name).not.toBe('')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(name).not.toMatch(/[\u0000-\u001f/\\\u202e]/)
      expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(200)
    }),
  )
})

test('unknown formats and formats that can contain code are not accepted', () => {
  for (const name of [
    'a.svg',
    'a.html',
    'a.htm',
    'a.xhtml',
    'a.js',
    'a.exe',
    'a.php',
    'a',
    'a.constructor',
    'png',
  ])
    expect(formatOfName(name), name).toBeUndefined()
  expect(formatOfName('A.PDF')?.kind).toBe('pdf')
})

test('the media type decides the kind of a file without a name or with a contradicting one', () => {
  expect(kindOfFile('', 'image/webp')).toBe('image')
  expect(kindOfFile('成绩.csv', 'text/csv')).toBe('table')
  expect(kindOfFile('a.pdf', 'text/plain')).toBe('text')
  expect(kindOfFile('', 'image/svg+xml')).toBe('none')
})

test.each([
  [0, '0 B'],
  [1536, '1.5 KB'],
  [5 * 1024 ** 2, '5 MB'],
  [3.25 * 1024 ** 3, '3.3 GB'],
])('%d bytes are formatted as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
