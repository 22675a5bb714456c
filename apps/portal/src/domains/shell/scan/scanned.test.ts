import { expect, test } from 'vitest'
import { readScan } from './scanned.ts'

const ours = 'https://m.example.edu.cn'
const list = JSON.stringify(['https://lib.example.edu.cn/loan', 'http://10.1.2.3:8080'])
const scan = (text: string, whiteList: string | undefined = list) =>
  readScan(text, whiteList, ours, (path) =>
    ['/pagesA/news/detail', '/page/index/index'].includes(path),
  )

test('the address of a portal screen opens as a screen', () => {
  expect(scan(`${ours}/pagesA/news/detail?id=7`)).toEqual({
    is: 'screen',
    href: '/pagesA/news/detail?id=7',
  })
})

test.each([
  ['https://lib.example.edu.cn/loan/7?x=1', 'https://lib.example.edu.cn/loan/7?x=1'],
  ['HTTPS://LIB.example.edu.cn/loan', 'https://lib.example.edu.cn/loan'],
  ['http://10.1.2.3:8080/x', 'http://10.1.2.3:8080/x'],
  [' https://lib.example.edu.cn/loan\n'.trimEnd(), 'https://lib.example.edu.cn/loan'],
])('%j is allowed by the white list and opens as an address', (text, url) => {
  expect(scan(text)).toEqual({ is: 'address', url })
})

test.each([
  'https://lib.example.edu.cn/loans',
  'https://lib.example.edu.cn/loan/../admin',
  'https://lib.example.edu.cn.evil.com/loan',
  'https://lib.example.edu.cn@evil.com/loan',
  'https://evil.com\\@lib.example.edu.cn/loan',
  'http://lib.example.edu.cn/loan',
  'https://evil.com/https://lib.example.edu.cn/loan',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'weixin://dl/business',
  'tel:10086',
  'WIFI:T:WPA;S:campus;P:secret;;',
  '<img src=x onerror=alert(1)>',
  '//lib.example.edu.cn/loan',
  '/pagesA/news/detail?id=7',
  'lib.example.edu.cn/loan',
  '9787111544937',
  ' ',
  // Paths that are not screens, and addresses that sign somebody in.
  `${ours}/cas/logout`,
  `${ours}/page/index/index?ticket=x`,
  `${ours}/pagesA/news/detail?id=7&idToken=x`,
])('%j is returned as text', (text) => {
  expect(scan(text)).toEqual({ is: 'text', text })
})

test.each([undefined, '', '{}', '[7, null]', 'https://lib.example.edu.cn', '["*"]'])(
  'the invalid white list %j allows no address',
  (whiteList) => {
    const text = 'https://lib.example.edu.cn/loan'
    expect(readScan(text, whiteList, ours, () => false)).toEqual({ is: 'text', text })
  },
)
