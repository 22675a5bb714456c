import { expect, test } from 'vitest'
import { readTransports } from '#domains/services/services/token-accept.ts'
import { cookieDomain, readPairs, targetOf, tokenTransportsFor } from './rules.ts'

const settings = (given: { collects?: object; arry?: string[]; off?: boolean }) => ({
  authCollects: JSON.stringify(given.collects ?? {}),
  casArry: JSON.stringify(given.arry ?? []),
  disableCasArry: given.off ? '1' : '0',
})
const url = (tokenKey = 'token') => ({ tokenType: 'url', tokenKey })

test.each([
  ['the service’s own setting', 'https://a.cn/x', [url('sid')], {}, [url('sid')]],
  [
    'the service wants no token',
    'https://a.cn/x',
    [],
    { collects: { 'https://a.cn': 'url,t' } },
    [],
  ],
  ['an entry without a type', 'https://a.cn/x', [{}], {}, [url()]],
  [
    'the most specific address wins',
    'https://a.cn/x/y',
    null,
    { collects: { 'https://a.cn': 'cookie,c', 'https://a.cn/x': 'url,t' } },
    [url('t')],
  ],
  [
    'authCollects precedes the central login',
    'https://a.cn/x',
    null,
    { collects: { 'https://a.cn': 'url,t' }, arry: ['https://a.cn'] },
    [url('t')],
  ],
  [
    'the central login',
    'https://a.cn/x',
    null,
    { arry: ['https://a.cn'] },
    [{ tokenType: 'cas', tokenKey: 'token' }],
  ],
  [
    'the central login is disabled',
    'https://a.cn/x',
    null,
    { arry: ['https://a.cn'], off: true },
    [],
  ],
  [
    'a host with the same prefix does not match',
    'https://a.cn.evil.com/',
    null,
    { arry: ['https://a.cn'] },
    [],
  ],
  [
    'a path with the same prefix does not match',
    'https://a.cn/apple',
    null,
    { collects: { 'https://a.cn/app': 'url,t' } },
    [],
  ],
  ['no setting', 'https://a.cn/x', null, {}, []],
])('how the token is sent: %s', (_, address, accepts, given, ways) => {
  expect(tokenTransportsFor(address, accepts, settings(given))).toEqual(ways)
})

test('type and key pairs are parsed, and invalid ones are ignored', () => {
  expect(readPairs('url,token, header , X-Who')).toEqual([
    url(),
    { tokenType: 'header', tokenKey: 'X-Who' },
  ])
  expect(readPairs('url')).toEqual([url()])
  expect(readPairs('smoke,token')).toEqual([])
  for (const key of ['atrium_refresh', 'Cookie', 'a b', 'a\r\nb', '__Host-x', '', 7])
    expect(readTransports([{ tokenType: 'cookie', tokenKey: key || 'host' }])).toEqual([])
  expect(readTransports('url')).toEqual([])
})

test.each([
  ['m.example.edu.cn', 'lib.example.edu.cn', 'example.edu.cn'],
  ['m.example.edu.cn', 'm.example.edu.cn', ''],
  ['example.edu.cn', 'lib.example.edu.cn', 'example.edu.cn'],
  ['example.edu.cn', 'other.edu.cn', undefined],
  ['m.example.com', 'example.com', 'example.com'],
  ['m.example.com', 'evilexample.com', undefined],
  ['example.com', 'other.com', undefined],
  ['10.0.0.1', '10.0.0.2', undefined],
  ['localhost', 'localhost', ''],
  ['localhost', 'a.localhost', undefined],
])('a cookie of %s for %s has the domain %s', (own, service, domain) => {
  expect(cookieDomain(own, service)).toBe(domain)
})

test.each([
  ['pages/a/b', { kind: 'internal', url: '/pages/a/b' }],
  ['https://m.example.edu/pagesA/x?y=1', { kind: 'internal', url: '/pagesA/x?y=1' }],
  ['https://lib.example.edu/x', { kind: 'web', url: 'https://lib.example.edu/x' }],
  ['HTTPS://LIB.example.edu', { kind: 'web', url: 'https://lib.example.edu/' }],
  ['/a/addressList', { kind: 'internal', url: '/a/addressList' }],
  ['https://evil.example/onlineSend', { kind: 'internal', url: 'https://evil.example/onlineSend' }],
  ['/%09/evil.example', { kind: 'internal', url: '/%09/evil.example' }],
  ['/\t/evil.example', { kind: 'hostile' }],
  ['intent://scan/#Intent;end', { kind: 'hostile' }],
  ['weixin://dl/business', { kind: 'hostile' }],
])('the target of %j is %j', (address, target) => {
  expect(targetOf(address, 'https://m.example.edu')).toEqual(target)
})
