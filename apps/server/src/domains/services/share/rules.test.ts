import { expect, test } from 'vitest'
import { openSecret } from '#platform/secret.ts'
import { createShare, readShare, writeShare } from './rules.ts'

const secret = openSecret('a secret of tests that is long enough')
const now = new Date('2026-11-22T10:20:00Z')
const item = { kind: 'service' as const, id: '17', direct: false }
const sharer = { accountId: '4', name: '林晓', nameEn: 'Lin Xiao' }
const named = createShare(secret, item, sharer, now)
const text = writeShare(secret, named)

test('a written share is read back unchanged', () => {
  expect(readShare(secret, 'service', text, now)).toEqual(named)
  expect(named).toMatchObject({
    sharerName: '林晓',
    sharerNameEn: 'Lin Xiao',
    expiresAt: new Date('2026-12-23T00:00:00Z'),
  })
})

test('a share of an older version has no English name', () => {
  const { sharerNameEn: _, ...older } = named
  const written = writeShare(secret, older as typeof named)
  expect(readShare(secret, 'service', written, now)).toEqual({ ...named, sharerNameEn: '' })
})

test('a share without a name does not identify the sharer', () => {
  const shared = createShare(secret, item, null, now)
  expect(shared).toMatchObject({ sharerName: '***', sharerNameEn: '', inviter: '' })
  expect(createShare(secret, item, { ...sharer, name: '  ' }, now)).toMatchObject({
    sharerName: '***',
    sharerNameEn: '',
  })
})

test('the inviter is the same for all shares of a member, differs between members and hides the account', () => {
  const again = createShare(secret, { ...item, id: '9' }, sharer, now)
  const other = createShare(secret, item, { ...sharer, accountId: '5' }, now)
  expect(again.inviter).toBe(named.inviter)
  expect(other.inviter).not.toBe(named.inviter)
  // Account ids can be guessed, so the inviter depends on the secret.
  const account = { ...sharer, accountId: '20240001' }
  const [ours, theirs] = [secret, openSecret('another one')].map(
    (key) => createShare(key, item, account, now).inviter,
  )
  expect(ours).not.toContain(account.accountId)
  expect(ours).not.toBe(theirs)
})

const [payload = '', signature = ''] = text.split('.')
const changed = (change: object) =>
  Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...change }),
  ).toString('base64url')

test.each([
  ['another item', `${changed({ id: '18' })}.${signature}`],
  ['another name', `${changed({ sharerName: '<script>' })}.${signature}`],
  ['a later expiry', `${changed({ expiresAt: '2099-01-01T00:00:00Z' })}.${signature}`],
  ['another signature', `${payload}.${'A'.repeat(32)}`],
  ['a signature of another secret', writeShare(openSecret('another one'), named)],
  ['a signature for another purpose', `${payload}.${secret.sign('form', payload)}`],
  ['no signature', payload],
  ['two signatures', `${text}.${signature}`],
  ['no content', ''],
  ['only a dot', '.'],
  ['invalid base64', '<script>alert(1)</script>.x'],
])('a share with %s is rejected', (_, bad) => {
  expect(readShare(secret, 'service', bad, now)).toBe('invalid')
})

test('a share of a service is not accepted as one of an article', () => {
  expect(readShare(secret, 'news', text, now)).toBe('invalid')
})

test('a share expires', () => {
  const at = (day: string) => readShare(secret, 'service', text, new Date(day))
  expect(at('2026-12-22T23:59:59Z')).toEqual(named)
  expect(at('2026-12-23T00:00:00Z')).toBe('expired')
})
