import { expect, test } from 'vitest'
import { readWebAddress } from './web-address.ts'

const ours = 'https://m.example.edu.cn'

test.each([
  ['/pages/secondWork?a=1', 'https://m.example.edu.cn/pages/secondWork?a=1'],
  ['pages/secondWork', 'https://m.example.edu.cn/pages/secondWork'],
  ['//evil.com', 'https://evil.com/'],
  ['/\\evil.com', 'https://evil.com/'],
  ['\\\\evil.com', 'https://evil.com/'],
  ['///evil.com', 'https://evil.com/'],
  ['/\t/evil.com', 'https://evil.com/'],
  ['https:evil.com', 'https://m.example.edu.cn/evil.com'],
  ['https://evil.com\\@m.example.edu.cn/', 'https://evil.com/@m.example.edu.cn/'],
  ['https://evil.com#@m.example.edu.cn', 'https://evil.com/#@m.example.edu.cn'],
  ['https://m.example.edu.cn.evil.com/', 'https://m.example.edu.cn.evil.com/'],
  ['https://m.example.edu.cn%2eevil.com/', 'https://m.example.edu.cn.evil.com/'],
  ['https://M.EXAMPLE.edu.cn:443/x', 'https://m.example.edu.cn/x'],
  ['https://ｍ.example.edu.cn/', 'https://m.example.edu.cn/'],
  ['https://аррӏе.com/', 'https://xn--80ak6aa92e.com/'],
  ['  https://example.org/a b ', 'https://example.org/a%20b'],
  ['http://example.org', 'http://example.org/'],
  ['https://example.org/%E0%A4%A', 'https://example.org/%E0%A4%A'],
])('%j leads to %s', (text, href) => {
  expect(readWebAddress(text, ours)?.href).toBe(href)
})

test.each([
  '/pages/../..//evil.com',
  '/pages/%2e%2E//evil.com',
  '/pages/..\\\\evil.com',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'blob:https://m.example.edu.cn/0',
  'file:///etc/passwd',
  'weixin://dl',
  'about:blank',
  'view-source:https://example.org',
  'https://m.example.edu.cn@evil.com/',
  'https://a:b@m.example.edu.cn/',
  'https://',
  'https://exa mple.org',
  'http://[::1',
  'https://example.org:99999/',
  `https://example.org/${'a'.repeat(2000)}`,
  // Short as text, too long once percent-encoded.
  `https://example.org/${'中'.repeat(400)}`,
])('%j is rejected', (text) => {
  expect(readWebAddress(text, ours)).toBeUndefined()
})
