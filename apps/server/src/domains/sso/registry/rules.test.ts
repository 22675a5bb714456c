import type { RelyingPartyContent } from '@atrium/contract/sso/registry'
import { describe, expect, test } from 'vitest'
import { normalizeService } from '#domains/identity/identity/service-address.ts'
import { addressIssue, emptyParty, partyIssues } from './rules.ts'

describe('the address of a relying party', () => {
  test.each([
    ['https://lib.example.edu/', undefined],
    ['https://lib.example.edu', undefined],
    ['https://lib.example.edu:8443/app', undefined],
    ['https://图书馆.example.edu/', undefined],
    ['https://10.1.2.3/app', undefined],
    ['http://localhost:4100/', 'https'],
    ['http://lib.example.edu/', 'https'],
    ['javascript:alert(1)', 'https'],
    ['data:text/html,x', 'https'],
    ['https:lib.example.edu', 'format'],
    ['//lib.example.edu', 'format'],
    ['lib.example.edu', 'format'],
    ['', 'format'],
    ['https://', 'format'],
    ['https://intranet/', 'format'],
    ['https://edu/', 'format'],
    ['https://lib.example.edu/a b', 'format'],
    ['https://lib.example.edu\\@evil.example/', 'format'],
    ['https://user@lib.example.edu/', 'plainAddress'],
    ['https://user:secret@lib.example.edu/', 'plainAddress'],
    ['https://lib.example.edu/#top', 'plainAddress'],
    ['https://lib.example.edu/?a=1', 'plainAddress'],
    ['https://*.example.edu/', 'plainAddress'],
    ['https://lib.example.edu/*', 'plainAddress'],
  ])('%s has the issue %s', (address, issue) => {
    expect(addressIssue(address, { loopback: false })).toBe(issue)
  })

  test('may use plain http on loopback in a demo', () => {
    for (const address of [
      'http://localhost:4100/',
      'http://127.0.0.1:4100/',
      'http://[::1]:4100/',
    ])
      expect(addressIssue(address, { loopback: true })).toBeUndefined()
    expect(addressIssue('http://lib.example.edu/', { loopback: true })).toBe('https')
    expect(addressIssue('http://localhost.evil.example/', { loopback: true })).toBe('https')
  })
})

describe('the service address of a ticket', () => {
  test.each([
    ['https://M.EXAMPLE.edu.cn:443/x', 'https://m.example.edu.cn/x'],
    ['https://m.example.edu.cn', 'https://m.example.edu.cn/'],
    ['https://m.example.edu.cn/x?a=1&ticket=ST-1#top', 'https://m.example.edu.cn/x?a=1'],
    ['https://ｍ.example.edu.cn/', 'https://m.example.edu.cn/'],
    ['//evil.example', null],
    ['https:evil.example', null],
    ['/\\evil.example', null],
    ['https://user@m.example.edu.cn/', null],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['https://m.example.edu.cn/\t', null],
    [` https://m.example.edu.cn/`, null],
    [`https://m.example.edu.cn/${'a'.repeat(2000)}`, null],
  ])('%s is normalised to %s', (service, plain) => {
    expect(normalizeService(service)).toBe(plain)
  })
})

describe('a relying party', () => {
  const content: RelyingPartyContent = {
    ...emptyParty,
    name: 'Library',
    addresses: ['https://lib.example.edu/'],
  }
  const around = { loopback: false, service: undefined, taken: new Set<string>() }
  const service = { name: 'Library', url: 'https://lib.example.edu/app/?from=portal' }
  test.each<[string, Partial<RelyingPartyContent>, object, object]>([
    ['is valid', {}, {}, {}],
    ['needs a name', { name: ' ' }, {}, { name: 'required' }],
    ['inherits the name of its service', { name: '', serviceId: '7' }, { service }, {}],
    ['needs an existing service', { serviceId: '7' }, {}, { serviceId: 'unknown' }],
    ['needs an address', { addresses: [] }, {}, { addresses: 'required' }],
    ['inherits the address of its service', { addresses: [], serviceId: '7' }, { service }, {}],
    [
      'needs an address if that of its service is not absolute',
      { addresses: [], serviceId: '7' },
      { service: { name: 'x', url: '/pages/library' } },
      { addresses: 'required' },
    ],
    [
      'has no duplicate address',
      { addresses: ['https://lib.example.edu/', 'https://LIB.example.edu'] },
      {},
      { 'addresses.1': 'twice' },
    ],
    [
      'has no address of another relying party',
      {},
      { taken: new Set(['https://lib.example.edu/']) },
      { 'addresses.0': 'twice' },
    ],
    [
      'has no wildcard redirect URI',
      {
        redirectUris: ['https://lib.example.edu/callback?from=portal', 'https://lib.example.edu/*'],
      },
      {},
      { 'redirectUris.1': 'plainAddress' },
    ],
    [
      'needs https for its logout address',
      { logoutUrl: 'http://lib.example.edu/' },
      {},
      { logoutUrl: 'https' },
    ],
    [
      'needs a purpose if consent is required',
      { consentNeeded: true, attributes: ['name'] },
      {},
      { purpose: 'required' },
    ],
    ['cannot have the audience of the portal', { audience: 'portal' }, {}, { audience: 'format' }],
    ['has no space in its audience', { audience: 'a b' }, {}, { audience: 'format' }],
  ])('%s', (_, change, given, issues) => {
    expect(partyIssues({ ...content, ...change }, { ...around, ...given })).toEqual(issues)
  })
})
