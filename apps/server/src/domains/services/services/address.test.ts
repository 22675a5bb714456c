import { expect, test } from 'vitest'
import { serviceAddressIssue } from './address.ts'

test.each([
  'https://lib.example.edu/a?b=1#c',
  'http://lib.example.edu:8080',
  'https://图书馆.example.edu/',
  '/pages/tab/score?id=1',
  'pagesA/news/detail?id=1',
  'addressBook/addressList',
  '/pages/webview/webview?url=https://a.example.edu/../b',
  '/files/12/..picture.png',
  'https://9.9.9.9/',
])('%s is accepted', (address) => {
  expect(serviceAddressIssue(address, undefined)).toBeUndefined()
})

test.each([
  ['', 'format'],
  ['javascript:alert(1)', 'format'],
  ['JavaScript://%0aalert(1)', 'format'],
  ['java\nscript:alert(1)', 'format'],
  ['data:text/html,x', 'format'],
  ['weixin://dl/business', 'format'],
  ['//evil.example', 'format'],
  ['/\\evil.example', 'format'],
  ['https:\\\\evil.example', 'format'],
  ['/pages/../..//evil.example/x', 'format'],
  ['pages/../..//evil.example', 'format'],
  ['/pages/%2e%2E//evil.example', 'format'],
  ['/pages/..%2f%2fevil.example', 'format'],
  ['/%2f/evil.example', 'format'],
  ['/%5cevil.example', 'format'],
  ['/./pages/x', 'format'],
  ['/pages/..?a=1', 'format'],
  ['https://', 'format'],
  ['https://a.example.edu/a b', 'format'],
  ['https://a.example.edu/\u0007', 'format'],
  ['https://a.example.edu/\u202egpj', 'format'],
  [`https://a.example.edu/${'x'.repeat(2000)}`, 'format'],
  ['https://user:pass@a.example.edu/', 'credentials'],
  ['https://a.example.edu@evil.example/', 'credentials'],
  ['http://127.0.0.1:8080/', 'closed'],
  ['http://2130706433/', 'closed'],
  ['http://0x7f.1/', 'closed'],
  ['https://10.1.2.3/', 'closed'],
  ['https://[::1]/', 'closed'],
  ['https://[::ffff:10.0.0.1]/', 'closed'],
  ['https://[fd00::1]/', 'closed'],
  ['https://localhost/', 'closed'],
  ['https://x.localhost./', 'closed'],
  ['http://169.254.169.254/latest', 'closed'],
] as const)('%s is rejected: %s', (address, issue) => {
  expect(serviceAddressIssue(address, undefined)).toBe(issue)
})

test('an address that operators opened is accepted, on that port only', () => {
  expect(serviceAddressIssue('http://10.20.0.7:8080/', '10.20.0.0/16:8080')).toBeUndefined()
  expect(serviceAddressIssue('http://10.20.0.7/', '10.20.0.0/16:8080')).toBe('closed')
})
