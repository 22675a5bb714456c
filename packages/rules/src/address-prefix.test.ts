import { expect, test } from 'vitest'
import { matchesPrefix } from './address-prefix.ts'

test.each([
  ['the prefix itself', 'https://a.cn', 'https://a.cn'],
  ['an additional final slash', 'https://a.cn/', 'https://a.cn'],
  ['a missing final slash', 'https://a.cn/app', 'https://a.cn/app/'],
  ['a path below the prefix', 'https://a.cn/app/x?y=1#z', 'https://a.cn/app'],
  ['a query after the prefix', 'https://a.cn/app?y=1', 'https://a.cn/app'],
  ['a query in the prefix, which is ignored', 'https://a.cn/app/x', 'https://a.cn/app?from=portal'],
  ['the explicit default port', 'https://a.cn:443/x', 'https://a.cn'],
  ['the same non-default port', 'http://a.cn:8080/x', 'http://a.cn:8080'],
  ['capitals in the host', 'HTTPS://A.CN/x', 'https://a.cn'],
  ['a Chinese host in Punycode', 'https://xn--fiq228c.cn/x', 'https://中文.cn'],
  ['surrounding spaces', '  https://a.cn/x ', ' https://a.cn '],
  ['dot segments that stay below the prefix', 'https://a.cn/app/x/../y', 'https://a.cn/app'],
  ['a parameter of a path segment', 'https://a.cn/app/x;jsessionid=1/y', 'https://a.cn/app'],
  ['an escaped percent sign', 'https://a.cn/app/100%25/..x', 'https://a.cn/app'],
  ['one of several prefixes', 'https://b.cn/', 'https://a.cn', 'https://b.cn'],
])('matches: %s', (_, address, ...prefixes) => {
  expect(matchesPrefix(address, prefixes)).toBe(true)
})

test.each([
  ['a longer host', 'https://a.cn.evil.com/', 'https://a.cn'],
  ['a user name that looks like the host', 'https://a.cn@evil.com/', 'https://a.cn'],
  ['a user name before the right host', 'https://evil.com@a.cn/', 'https://a.cn'],
  ['a backslash instead of a slash', 'https://evil.com\\@a.cn/', 'https://a.cn'],
  ['a host that continues with a hyphen', 'https://a.cn-evil.com', 'https://a.cn'],
  ['another host with the same beginning', 'https://a.cnevil.com', 'https://a.cn'],
  ['a subdomain', 'https://x.a.cn/', 'https://a.cn'],
  ['plain http for https', 'http://a.cn/', 'https://a.cn'],
  ['another port', 'https://a.cn:8443/', 'https://a.cn'],
  ['another path with the same beginning', 'https://a.cn/apple', 'https://a.cn/app'],
  ['a path above the prefix', 'https://a.cn/', 'https://a.cn/app'],
  ['dot segments that leave the prefix', 'https://a.cn/app/../admin', 'https://a.cn/app'],
  [
    'escaped dot segments that leave the prefix',
    'https://a.cn/app/%2e%2E/admin',
    'https://a.cn/app',
  ],
  [
    'dot segments with an escaped slash that leave the prefix',
    'https://a.cn/app/..%2fadmin',
    'https://a.cn/app',
  ],
  [
    'dot segments with an escaped backslash that leave the prefix',
    'https://a.cn/app/..%5Cadmin',
    'https://a.cn/app',
  ],
  [
    'dot segments with a parameter that leave the prefix in Tomcat',
    'https://a.cn/app/..;/admin',
    'https://a.cn/app',
  ],
  [
    'dot segments with a parameter value that leave the prefix',
    'https://a.cn/app/x/..;a=b/..;c/admin',
    'https://a.cn/app',
  ],
  [
    'dot segments with an escaped parameter that leave the prefix',
    'https://a.cn/app/..%3Bx/admin',
    'https://a.cn/app',
  ],
  [
    'double-escaped dot segments that leave the prefix',
    'https://a.cn/app/%252e%252e%252fadmin',
    'https://a.cn/app',
  ],
  ['an escaped slash right after the prefix', 'https://a.cn/app%2fx', 'https://a.cn/app'],
  ['capitals in the path', 'https://a.cn/APP/x', 'https://a.cn/app'],
  ['a javascript: address', 'javascript:alert(1)//https://a.cn', 'https://a.cn'],
  ['a javascript: prefix', 'javascript:alert(1)', 'javascript:alert(1)'],
  ['a data: address', 'data:text/html,https://a.cn', 'https://a.cn'],
  ['a file: address, whose origin is null', 'file:///x', 'file:///'],
  ['no scheme', '//a.cn/x', 'https://a.cn'],
  ['a relative address', '/app/x', 'https://a.cn'],
  ['a line break inside', 'https://a.cn\n.evil.com', 'https://a.cn'],
  ['a tab inside', 'https://a\t.cn/', 'https://a.cn'],
  ['too few slashes', 'https:/a.cn', 'https://a.cn'],
  ['an empty address', '', 'https://a.cn'],
  ['an empty prefix', 'https://a.cn', ''],
  ['a prefix that is not an address', 'https://a.cn', 'a.cn'],
  ['a star', 'https://a.cn', '*'],
  ['a prefix with a user', 'https://a.cn', 'https://u@a.cn'],
  ['no prefixes', 'https://a.cn'],
])('does not match: %s', (_, address, ...prefixes) => {
  expect(matchesPrefix(address, prefixes)).toBe(false)
})

test('prefixes of a wrong type match nothing', () => {
  expect(matchesPrefix('https://a.cn', [null, 7, {}] as unknown as string[])).toBe(false)
})
