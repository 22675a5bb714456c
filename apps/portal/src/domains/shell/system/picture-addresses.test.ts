import { expect, test } from 'vitest'
import { pictureAddresses, resolveOwnPicture } from './picture-addresses.ts'

const origin = 'https://m.example.edu.cn'

test.each([
  ['/files/12', '/files/12'],
  ['/files/12?expires=1&signature=a%2Fb', '/files/12?expires=1&signature=a%2Fb'],
  ['https://m.example.edu.cn/thumbor/unsafe/250x200/a.png', '/thumbor/unsafe/250x200/a.png'],
  ['files/12', '/files/12'],
])('%s is a picture of the portal', (url, address) =>
  expect(resolveOwnPicture(url, origin)).toBe(address),
)

test.each([
  '',
  '/',
  '/files/',
  '/files',
  '/portal-api/v1/home',
  '/files/../cas/logout',
  '/files/%2e%2e/cas/logout',
  '//evil.com/files/1',
  '/\\evil.com/files/1',
  '\t//evil.com/files/1',
  'https://evil.com/files/1',
  'https://m.example.edu.cn.evil.com/files/1',
  'https://m.example.edu.cn@evil.com/files/1',
  'http://m.example.edu.cn/files/1',
  'javascript:alert(1)//files/1',
  'data:image/png;base64,AAAA',
  'blob:https://m.example.edu.cn/files/1',
  'https://[',
])('%j is not a picture of the portal', (url) =>
  expect(resolveOwnPicture(url, origin)).toBeUndefined(),
)

test.each([
  ['["/files/1","/files/2"]', '1', ['/files/1', '/files/2'], 1],
  ['/files/1,/files/2', '/files/2', ['/files/1', '/files/2'], 1],
  ['/files/1,/files/2', undefined, ['/files/1', '/files/2'], 0],
  ['/files/1,/files/2', '7', ['/files/1', '/files/2'], 0],
  ['/files/1,/files/2', '/files/3', ['/files/1', '/files/2'], 0],
  // The index counts in the list as given.
  ['https://evil.com/1,/files/1,/files/2', '2', ['/files/1', '/files/2'], 1],
  ['["/files/1",{"a":1},null]', '0', ['/files/1'], 0],
  ['[broken', '0', [], 0],
  ['{}', undefined, [], 0],
])('parses pictures %s with current picture %j', (urls, current, pictures, at) => {
  expect(pictureAddresses(urls, current, origin)).toEqual({ pictures, at })
})

test('returns at most 100 pictures', () => {
  const urls = Array.from({ length: 5000 }, (_, at) => `/files/${at + 1}`).join(',')
  expect(pictureAddresses(urls, undefined, origin).pictures).toHaveLength(100)
})
