import { expect, test } from 'vitest'
import { matchesPrefix } from './address-prefix.ts'

test.each([
  ['the prefix itself', 'https://a.cn', 'https://a.cn'],
  ['a slash more', 'https://a.cn/', 'https://a.cn'],
  ['a slash less', 'https://a.cn/app', 'https://a.cn/app/'],
  ['below it', 'https://a.cn/app/x?y=1#z', 'https://a.cn/app'],
  ['a query behind the prefix', 'https://a.cn/app?y=1', 'https://a.cn/app'],
  ['a query on the prefix does not count', 'https://a.cn/app/x', 'https://a.cn/app?from=portal'],
  ['the usual port written out', 'https://a.cn:443/x', 'https://a.cn'],
  ['another port, the same one', 'http://a.cn:8080/x', 'http://a.cn:8080'],
  ['capitals in the host', 'HTTPS://A.CN/x', 'https://a.cn'],
  ['a Chinese host and its other spelling', 'https://xn--fiq228c.cn/x', 'https://中文.cn'],
  ['spaces around', '  https://a.cn/x ', ' https://a.cn '],
  ['dots that stay inside', 'https://a.cn/app/x/../y', 'https://a.cn/app'],
  ['a parameter of a part of the path', 'https://a.cn/app/x;jsessionid=1/y', 'https://a.cn/app'],
  ['a percent sign that is only one', 'https://a.cn/app/100%25/..x', 'https://a.cn/app'],
  ['one of several', 'https://b.cn/', 'https://a.cn', 'https://b.cn'],
])('under a prefix: %s', (_, address, ...prefixes) => {
  expect(matchesPrefix(address, prefixes)).toBe(true)
})

test.each([
  ['a longer host', 'https://a.cn.evil.com/', 'https://a.cn'],
  ['a user that looks like the host', 'https://a.cn@evil.com/', 'https://a.cn'],
  ['a user and the right host', 'https://evil.com@a.cn/', 'https://a.cn'],
  ['a backslash for a slash', 'https://evil.com\\@a.cn/', 'https://a.cn'],
  ['a host with a hyphen', 'https://a.cn-evil.com', 'https://a.cn'],
  ['another host that begins alike', 'https://a.cnevil.com', 'https://a.cn'],
  ['a subdomain', 'https://x.a.cn/', 'https://a.cn'],
  ['plain http for https', 'http://a.cn/', 'https://a.cn'],
  ['another port', 'https://a.cn:8443/', 'https://a.cn'],
  ['a path that only begins alike', 'https://a.cn/apple', 'https://a.cn/app'],
  ['a path above', 'https://a.cn/', 'https://a.cn/app'],
  ['dots that leave', 'https://a.cn/app/../admin', 'https://a.cn/app'],
  ['escaped dots that leave', 'https://a.cn/app/%2e%2E/admin', 'https://a.cn/app'],
  ['escaped slashes that leave', 'https://a.cn/app/..%2fadmin', 'https://a.cn/app'],
  ['escaped backslashes that leave', 'https://a.cn/app/..%5Cadmin', 'https://a.cn/app'],
  [
    'dots with a parameter that leave, as Tomcat reads them',
    'https://a.cn/app/..;/admin',
    'https://a.cn/app',
  ],
  ['dots with a value that leave', 'https://a.cn/app/x/..;a=b/..;c/admin', 'https://a.cn/app'],
  [
    'dots with an escaped parameter that leave',
    'https://a.cn/app/..%3Bx/admin',
    'https://a.cn/app',
  ],
  ['dots escaped twice that leave', 'https://a.cn/app/%252e%252e%252fadmin', 'https://a.cn/app'],
  ['an escaped slash at the border', 'https://a.cn/app%2fx', 'https://a.cn/app'],
  ['capitals in the path', 'https://a.cn/APP/x', 'https://a.cn/app'],
  ['a script', 'javascript:alert(1)//https://a.cn', 'https://a.cn'],
  ['a script as prefix', 'javascript:alert(1)', 'javascript:alert(1)'],
  ['data', 'data:text/html,https://a.cn', 'https://a.cn'],
  ['a file, whose origin is null like that of others', 'file:///x', 'file:///'],
  ['no scheme', '//a.cn/x', 'https://a.cn'],
  ['a relative address', '/app/x', 'https://a.cn'],
  ['a line break inside', 'https://a.cn\n.evil.com', 'https://a.cn'],
  ['a tab inside', 'https://a\t.cn/', 'https://a.cn'],
  ['too few slashes', 'https:/a.cn', 'https://a.cn'],
  ['nothing', '', 'https://a.cn'],
  ['an empty prefix', 'https://a.cn', ''],
  ['a prefix that is no address', 'https://a.cn', 'a.cn'],
  ['a star', 'https://a.cn', '*'],
  ['a prefix with a user', 'https://a.cn', 'https://u@a.cn'],
  ['no prefix at all', 'https://a.cn'],
])('under none: %s', (_, address, ...prefixes) => {
  expect(matchesPrefix(address, prefixes)).toBe(false)
})

test('what operators stored with a wrong type matches nothing', () => {
  expect(matchesPrefix('https://a.cn', [null, 7, {}] as unknown as string[])).toBe(false)
})
