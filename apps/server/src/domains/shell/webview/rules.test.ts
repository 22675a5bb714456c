import type { ConfigKey } from '@atrium/contract/config-keys'
import { expect, test } from 'vitest'
import { folderOf, letsUsFrame, operatorAddresses } from './rules.ts'

const ours = new URL('https://m.example.edu')
const site = new URL('https://lib.example.edu/hours')

test.each([
  ['nothing', {}, true],
  ['X-Frame-Options DENY', { 'x-frame-options': 'DENY' }, false],
  ['X-Frame-Options SAMEORIGIN', { 'x-frame-options': ' sameorigin ' }, false],
  ['two X-Frame-Options', { 'x-frame-options': 'ALLOWALL, DENY' }, false],
  ['what browsers no longer know', { 'x-frame-options': 'ALLOW-FROM https://a.edu' }, true],
  ['a policy about other things', { 'content-security-policy': "default-src 'self'" }, true],
  ['none', { 'content-security-policy': "frame-ancestors 'none'" }, false],
  ['an empty list', { 'content-security-policy': 'default-src *; frame-ancestors ' }, false],
  ['the site itself', { 'content-security-policy': "frame-ancestors 'self'" }, false],
  ['everybody', { 'content-security-policy': 'frame-ancestors *' }, true],
  ['every secure page', { 'content-security-policy': 'frame-ancestors https:' }, true],
  ['every plain page', { 'content-security-policy': 'frame-ancestors http:' }, true],
  ['us', { 'content-security-policy': 'frame-ancestors https://m.example.edu' }, true],
  ['us without a scheme', { 'content-security-policy': 'frame-ancestors m.example.edu' }, true],
  ['us in capitals', { 'content-security-policy': 'Frame-Ancestors M.EXAMPLE.EDU' }, true],
  ['us on our port', { 'content-security-policy': 'frame-ancestors m.example.edu:443' }, true],
  ['us on any port', { 'content-security-policy': 'frame-ancestors m.example.edu:*' }, true],
  ['another port', { 'content-security-policy': 'frame-ancestors m.example.edu:8443' }, false],
  ['our domain', { 'content-security-policy': 'frame-ancestors *.example.edu' }, true],
  ['below us', { 'content-security-policy': 'frame-ancestors *.m.example.edu' }, false],
  [
    'ours in the middle',
    { 'content-security-policy': 'frame-ancestors m.example.edu.evil.com' },
    false,
  ],
  [
    'somebody else and us',
    { 'content-security-policy': "frame-ancestors 'self' a.edu m.example.edu" },
    true,
  ],
  [
    'two policies that must both agree',
    { 'content-security-policy': "frame-ancestors *, frame-ancestors 'self'" },
    false,
  ],
  [
    'a policy that overrules the old header',
    { 'content-security-policy': 'frame-ancestors *', 'x-frame-options': 'DENY' },
    true,
  ],
  [
    'nonsense',
    { 'content-security-policy': 'frame-ancestors \\ <> ::', 'x-frame-options': ';;' },
    false,
  ],
])('framing, when the site names %s', (_, headers, answer) => {
  expect(letsUsFrame(headers, site, ours)).toBe(answer)
})

test.each([
  ['https://lib.example.edu', 'https://lib.example.edu/'],
  ['https://lib.example.edu/hours?day=1#top', 'https://lib.example.edu/hours'],
  ['https://lib.example.edu/app/', 'https://lib.example.edu/app/'],
  ['https://lib.example.edu/app/index.html', 'https://lib.example.edu/app/'],
  ['https://lib.example.edu/v1.2/app', 'https://lib.example.edu/v1.2/app'],
  ['no address', 'no address'],
])('%s begins at %s', (address, folder) => {
  expect(folderOf(address)).toBe(folder)
})

test('operators’ addresses are read out of whatever was stored', () => {
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
