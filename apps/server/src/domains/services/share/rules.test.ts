import { expect, test } from 'vitest'
import { openSecret } from '#platform/secret.ts'
import { createShare, readShare, writeShare } from './rules.ts'

const secret = openSecret('a secret of tests that is long enough')
const now = new Date('2026-11-22T10:20:00Z')
const item = { kind: 'service' as const, id: '17', direct: false }
const named = createShare(secret, item, { accountId: '4', name: '林晓' }, now)
const text = writeShare(secret, named)

test('what is written is read again', () => {
  expect(readShare(secret, 'service', text, now)).toEqual(named)
  expect(named).toMatchObject({ sharerName: '林晓', expiresAt: new Date('2026-12-23T00:00:00Z') })
})

test('without a name there is nobody in it', () => {
  const shared = createShare(secret, item, null, now)
  expect(shared).toMatchObject({ sharerName: '***', inviter: '' })
  expect(createShare(secret, item, { accountId: '4', name: '  ' }, now).sharerName).toBe('***')
})

test('an inviter is the same each time, another for everybody, and no key of theirs', () => {
  const again = createShare(secret, { ...item, id: '9' }, { accountId: '4', name: '林晓' }, now)
  const other = createShare(secret, item, { accountId: '5', name: '林晓' }, now)
  expect(again.inviter).toBe(named.inviter)
  expect(other.inviter).not.toBe(named.inviter)
})

const [payload = '', signature = ''] = text.split('.')
const changed = (change: object) =>
  Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...change }),
  ).toString('base64url')

test.each([
  ['another item', `${changed({ id: '18' })}.${signature}`],
  ['another name', `${changed({ sharerName: '<script>' })}.${signature}`],
  ['a longer time', `${changed({ expiresAt: '2099-01-01T00:00:00Z' })}.${signature}`],
  ['another signature', `${payload}.${'A'.repeat(32)}`],
  ['a signature of another secret', writeShare(openSecret('another one'), named)],
  ['a signature for something else', `${payload}.${secret.sign('form', payload)}`],
  ['no signature', payload],
  ['more than one', `${text}.${signature}`],
  ['nothing', ''],
  ['a point', '.'],
  ['no base64', '<script>alert(1)</script>.x'],
])('%s is not believed', (_, bad) => {
  expect(readShare(secret, 'service', bad, now)).toBe('invalid')
})

test('an address of an article is none of a service', () => {
  expect(readShare(secret, 'news', text, now)).toBe('invalid')
})

test('its time ends', () => {
  const at = (day: string) => readShare(secret, 'service', text, new Date(day))
  expect(at('2026-12-22T23:59:59Z')).toEqual(named)
  expect(at('2026-12-23T00:00:00Z')).toBe('expired')
})
