import { expect, test } from 'vitest'
import { totpStep } from './totp.ts'

// RFC 6238, appendix B, in six digits: the secret is 12345678901234567890.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('accepts the RFC 6238 code at %i s within one step', (seconds, code) => {
  const step = Math.floor(seconds / 30)
  expect(totpStep(secret, code, seconds * 1000)).toBe(step)
  expect(totpStep(secret, code, (step + 1) * 30_000)).toBe(step)
  expect(totpStep(secret, code, (step - 1) * 30_000)).toBe(step)
  expect(totpStep(secret, code, (step + 2) * 30_000)).toBeUndefined()
  expect(totpStep(secret, code, (step - 2) * 30_000)).toBeUndefined()
})

test.each(['', '28708', '2870820', '28708a', '-28708', '28.082', '２８７０８２', '0x4617a'])(
  'rejects a malformed code: %s',
  (code) => expect(totpStep(secret, code, 59_000)).toBeUndefined(),
)

test('ignores spaces in a code', () => {
  expect(totpStep(secret, '287 082', 59_000)).toBe(1)
})
