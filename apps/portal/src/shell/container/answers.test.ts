import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { answers, eventNames } from './answers.ts'

test.each([
  ['sysGetUserToken', { idToken: 'a.b.c', more: 1 }, { idToken: 'a.b.c' }],
  ['sysVpnState', { connected: false }, { connected: false }],
  ['sysGetCacheSize', { bytes: 0 }, { bytes: 0 }],
  ['sysGetAppVersion', { version: '3.1' }, { version: '3.1' }],
  [
    'sysGetAppVersion',
    { version: '3.1', newVersion: '3.2' },
    { version: '3.1', newVersion: '3.2' },
  ],
  [
    'getAllMessage',
    { messages: [{ msgId: '1', title: 'x', y: 1 }] },
    { messages: [{ msgId: '1', title: 'x' }] },
  ],
  [
    'locate',
    { latitude: 30.1, longitude: -120, accuracy: 5 },
    { latitude: 30.1, longitude: -120, accuracy: 5 },
  ],
  ['sysLogout', 'whatever', {}],
  ['share', undefined, { done: 'shared' }],
] as const)('%s: answer %j is parsed as %j', (name, given, expected) => {
  expect(answers[name].read(given)).toEqual(expected)
})

test.each([
  ['sysGetUserToken', undefined],
  ['sysGetUserToken', { idToken: '' }],
  ['sysGetUserToken', { idToken: 7 }],
  ['sysGetUserToken', { idToken: 'a'.repeat(8001) }],
  ['sysVpnState', { connected: 'yes' }],
  ['sysGetCacheSize', { bytes: -1 }],
  ['sysGetCacheSize', { bytes: Number.NaN }],
  ['sysGetAppVersion', { version: {} }],
  ['getAllMessage', { messages: {} }],
  ['getAllMessage', { messages: [null] }],
  ['sysInfoAuthorize', { authorized: 1 }],
  ['locate', { latitude: 91, longitude: 0, accuracy: 1 }],
  ['locate', { latitude: '30', longitude: 0, accuracy: 1 }],
  ['scanCode', {}],
] as const)('%s: answer %j is rejected', (name, given) => {
  expect(() => answers[name].read(given)).toThrow(TypeError)
})

test('every event has a time limit', () => {
  expect(eventNames).toHaveLength(21)
  for (const name of eventNames) expect(answers[name].limit).toBeGreaterThan(0)
})

test('docs/containers.md lists every event with its time limit', async () => {
  const page = new URL('../../../../../docs/containers.md', import.meta.url)
  const text = await readFile(page, 'utf8')
  const listed = [...text.matchAll(/^\| `(\w+)` \|.*?\| (\d+) \|/gm)].map(([, name, seconds]) => [
    name,
    Number(seconds) * 1000,
  ])
  expect(listed).toEqual(eventNames.map((name) => [name, answers[name].limit]))
})
