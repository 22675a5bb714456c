import type { ConfigKey } from '@atrium/contract/config-keys'
import { expect, test } from 'vitest'
import { allowsFraming, folderOf, operatorAddresses } from './rules.ts'

const ours = new URL('https://m.example.edu')
const site = new URL('https://lib.example.edu/hours')

test.each([
  ['no header', {}, true],
  ['X-Frame-Options DENY', { 'x-frame-options': 'DENY' }, false],
  ['X-Frame-Options SAMEORIGIN', { 'x-frame-options': ' sameorigin ' }, false],
  ['two values of X-Frame-Options', { 'x-frame-options': 'ALLOWALL, DENY' }, false],
  ['the obsolete ALLOW-FROM', { 'x-frame-options': 'ALLOW-FROM https://a.edu' }, true],
  ['a policy without frame-ancestors', { 'content-security-policy': "default-src 'self'" }, true],
  ['a policy for nobody', { 'content-security-policy': "frame-ancestors 'none'" }, false],
  [
    'a policy with an empty list',
    { 'content-security-policy': 'default-src *; frame-ancestors ' },
    false,
  ],
  ['a policy for the site itself', { 'content-security-policy': "frame-ancestors 'self'" }, false],
  ['a policy for every origin', { 'content-security-policy': 'frame-ancestors *' }, true],
  [
    'a policy for every https origin',
    { 'content-security-policy': 'frame-ancestors https:' },
    true,
  ],
  ['a policy for every http origin', { 'content-security-policy': 'frame-ancestors http:' }, true],
  [
    'a policy for our origin',
    { 'content-security-policy': 'frame-ancestors https://m.example.edu' },
    true,
  ],
  ['a policy for our host', { 'content-security-policy': 'frame-ancestors m.example.edu' }, true],
  [
    'a policy for our host in capitals',
    { 'content-security-policy': 'Frame-Ancestors M.EXAMPLE.EDU' },
    true,
  ],
  [
    'a policy for our host and port',
    { 'content-security-policy': 'frame-ancestors m.example.edu:443' },
    true,
  ],
  [
    'a policy for our host and any port',
    { 'content-security-policy': 'frame-ancestors m.example.edu:*' },
    true,
  ],
  [
    'a policy for our host and another port',
    { 'content-security-policy': 'frame-ancestors m.example.edu:8443' },
    false,
  ],
  [
    'a policy for every host of our domain',
    { 'content-security-policy': 'frame-ancestors *.example.edu' },
    true,
  ],
  [
    'a policy for every host below ours',
    { 'content-security-policy': 'frame-ancestors *.m.example.edu' },
    false,
  ],
  [
    'a policy for a host that begins with ours',
    { 'content-security-policy': 'frame-ancestors m.example.edu.evil.com' },
    false,
  ],
  [
    'a policy for several hosts including ours',
    { 'content-security-policy': "frame-ancestors 'self' a.edu m.example.edu" },
    true,
  ],
  [
    'two policies, one of which excludes us',
    { 'content-security-policy': "frame-ancestors *, frame-ancestors 'self'" },
    false,
  ],
  [
    'a policy that overrides X-Frame-Options',
    { 'content-security-policy': 'frame-ancestors *', 'x-frame-options': 'DENY' },
    true,
  ],
  [
    'invalid values',
    { 'content-security-policy': 'frame-ancestors \\ <> ::', 'x-frame-options': ';;' },
    false,
  ],
])('framing a site with %s', (_, headers, answer) => {
  expect(allowsFraming(headers, site, ours)).toBe(answer)
})

test.each([
  ['https://lib.example.edu', 'https://lib.example.edu/'],
  ['https://lib.example.edu/hours?day=1#top', 'https://lib.example.edu/hours'],
  ['https://lib.example.edu/app/', 'https://lib.example.edu/app/'],
  ['https://lib.example.edu/app/index.html', 'https://lib.example.edu/app/'],
  ['https://lib.example.edu/v1.2/app', 'https://lib.example.edu/v1.2/app'],
  ['no address', 'no address'],
])('the folder of %s is %s', (address, folder) => {
  expect(folderOf(address)).toBe(folder)
})

test('operators’ addresses are read from stored settings, without invalid entries', () => {
  const settings = {
    casHosts: '["cas.example.edu:8443","https://sso.example.edu/cas",7,null]',
    footTabs: '[{"externalUrl":"https://www.example.edu/tab.html"},{"externalUrl":3},{},null]',
    casArry: '["https://pay.example.edu/",3]',
    authCollects: '{"https://forms.example.edu/a":"url,token"}',
    newsUrl: '',
    newtaskUrl: 'https://task.example.edu/',
    scheduleUrl: '/own',
  } as Record<ConfigKey, string>
  expect(operatorAddresses(settings)).toEqual([
    'https://cas.example.edu:8443',
    'https://sso.example.edu/cas',
    'https://pay.example.edu/',
    'https://forms.example.edu/a',
    'https://www.example.edu/',
    'https://task.example.edu/',
    '/own',
  ])
})
