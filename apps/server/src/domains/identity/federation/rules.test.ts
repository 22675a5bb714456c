import { describe, expect, test } from 'vitest'
import { redactSecrets } from './external-identity.ts'
import {
  allowedTarget,
  centralLoginOf,
  centralLoginPath,
  isExternalAddress,
  mayRedirectTo,
  providerIssues,
  realmOf,
} from './rules.ts'

test.each([
  ['https://cas.example.edu/cas', true],
  ['https://cas.example.edu:8443', true],
  ['http://10.20.0.5:8080/cas', true],
  ['http://[fd00::5]/cas', true],
  ['http://127.1/cas', true],
  ['http://cas.example.edu/cas', false],
  ['http://8.8.8.8/cas', false],
  ['https://user:secret@cas.example.edu/', false],
  ['https://cas.example.edu/?a=b', false],
  ['https://cas.example.edu/#a', false],
  ['ftp://10.20.0.5/', false],
  ['javascript:alert(1)', false],
  ['cas.example.edu', false],
])('%s is allowed as a provider address: %s', (address, may) => {
  expect(isExternalAddress(address)).toBe(may)
})

test.each([
  ['https://id.example.org/authorize?a=b', true],
  ['https://login.example.org/authorize', true],
  ['https://login.example.org:8443/authorize', false],
  ['https://id.example.org.evil.example/', false],
  ['https://id.example.org@evil.example/', false],
  ['http://id.example.org/authorize', false],
  ['http://login.example.org/', false],
  ['javascript:alert(1)//id.example.org', false],
])('redirecting to %s is allowed: %s', (address, may) => {
  const listed = '["login.example.org", 7, "https://sso.example.org/x"]'
  expect(mayRedirectTo(address, 'https://id.example.org', listed)).toBe(may)
})

const origin = 'https://m.example.edu'
test.each([
  ['/cas/login?service=x', '/cas/login?service=x'],
  [`${origin}/cas/login`, '/cas/login'],
  ['//evil.example/cas/login', ''],
  ['/\\evil.example/cas/login', ''],
  ['https://evil.example/cas/login', ''],
  ['/cas/login/../../pages', ''],
  ['/cas/logout', ''],
  ['javascript:alert(1)', ''],
  [undefined, ''],
])('the onwards target %s becomes %s', (input, expected) => {
  expect(centralLoginPath(input, origin)).toBe(expected)
})

test.each([
  ['/pages/set/set?a=1', '/pages/set/set?a=1'],
  ['//evil.example', ''],
  ['/\\evil.example', ''],
  ['/\t/evil.example', ''],
  ['/a\\b', ''],
  ['https://evil.example', ''],
  ['pages/set', ''],
  [undefined, ''],
])('the return target %s becomes %s', (input, expected) => {
  expect(allowedTarget(input)).toBe(expected)
})

describe('the address of the central login', () => {
  const providers = [
    { code: 'union', kind: 'openid' as const, settings: { issuer: 'https://id.example.org' } },
    {
      code: 'campus',
      kind: 'cas' as const,
      settings: { serverUrl: 'https://sso.example.edu/cas/' },
    },
  ]
  test.each([
    ['', '', '/cas/login'],
    ['/cas/login', '', '/cas/login'],
    ['https://sso.example.edu/cas/login', '', '/token/federation/begin/campus'],
    [
      'https://new.example.edu/login',
      'https://sso.example.edu/cas',
      '/token/federation/begin/campus',
    ],
    ['', 'https://sso.example.edu/cas', '/cas/login'],
    ['https://sso.example.edu/castle/login', '', '/cas/login'],
    ['https://sso.example.edu.evil.example/cas/login', '', '/cas/login'],
    ['/token/federation/begin/union', '', '/token/federation/begin/union'],
    ['/token/federation/begin/gone', '', '/cas/login'],
  ])('with casUrl %j and oriCasUrl %j is %s', (casUrl, oriCasUrl, wanted) => {
    expect(centralLoginOf({ casUrl, oriCasUrl }, providers)).toBe(wanted)
  })
})

test('a provider with a different server address is a different realm', () => {
  const realm = (serverUrl: string) => realmOf('cas', { serverUrl })
  expect(realm('https://a.example/cas/')).toBe(realm('https://a.example/cas'))
  expect(realm('https://a.example/cas')).not.toBe(realm('https://b.example/cas'))
})

test('matchUsername is rejected for WeChat, which has no usernames', () => {
  expect(
    providerIssues('wechat-mini', { appId: 'wx0123456789abcdef', matchUsername: true }, true),
  ).toEqual({ 'settings.matchUsername': 'unknown' })
})

test.each([
  ['cas.example.edu/cas', 'https'],
  ['http://cas.example.edu/cas', 'https'],
  ['https://user:secret@cas.example.edu/', 'plainAddress'],
  ['https://cas.example.edu/cas?a=b', 'plainAddress'],
])('the provider address %s is rejected with the issue %s', (serverUrl, issue) => {
  expect(providerIssues('cas', { serverUrl }, false)).toEqual({ 'settings.serverUrl': issue })
})

test('redactSecrets hides tickets, codes and secrets repeated in a response', () => {
  expect(redactSecrets('it refused the ticket: Ticket ST-1-aZ_9.x-cas not recognized')).toBe(
    'it refused the ticket: Ticket (hidden) not recognized',
  )
  expect(redactSecrets('GET /token?code=4711&secret=s3 failed')).toBe(
    'GET /token?code=(hidden)&secret=(hidden) failed',
  )
})
