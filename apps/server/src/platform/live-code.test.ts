import { expect, test } from 'vitest'
import { checkCode, codeAt, stepOf } from './live-code.ts'

const now = Date.UTC(2026, 10, 26, 8, 0, 10)
const step = stepOf(now)

test.each([
  ['that is shown now is good', codeAt('key', step), 'good'],
  ['of the previous step is good', codeAt('key', step - 1), 'good'],
  ['of a minute ago is late', codeAt('key', step - 2), 'late'],
  ['of ten minutes ago is late', codeAt('key', step - 20), 'late'],
  ['of the next step is wrong', codeAt('key', step + 1), 'wrong'],
  ['of another key is wrong', codeAt('other', step), 'wrong'],
  ['that is empty is wrong', '', 'wrong'],
  ['with a space is good', codeAt('key', step).replace(/^(...)/, '$1 '), 'good'],
  [
    'in full-width digits is good',
    codeAt('key', step).replaceAll(/\d/g, (d) => String.fromCharCode(d.charCodeAt(0) + 0xfee0)),
    'good',
  ],
])('a code %s', (_, code, verdict) => {
  expect(checkCode('key', code, now)).toBe(verdict)
})
