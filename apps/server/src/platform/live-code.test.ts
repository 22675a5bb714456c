import { expect, test } from 'vitest'
import { checkCode, codeAt, stepOf } from './live-code.ts'

const now = Date.UTC(2026, 10, 26, 8, 0, 10)
const step = stepOf(now)

test.each([
  ['the one that is shown', codeAt('key', step), 'good'],
  ['the one before, for slow fingers', codeAt('key', step - 1), 'good'],
  ['one of a minute ago', codeAt('key', step - 2), 'late'],
  ['one of ten minutes ago', codeAt('key', step - 20), 'late'],
  ['one that is shown next', codeAt('key', step + 1), 'wrong'],
  ['one of another roll', codeAt('other', step), 'wrong'],
  ['nothing', '', 'wrong'],
  ['spaces between', codeAt('key', step).replace(/^(...)/, '$1 '), 'good'],
  [
    'full-width figures',
    codeAt('key', step).replaceAll(/\d/g, (d) => String.fromCharCode(d.charCodeAt(0) + 0xfee0)),
    'good',
  ],
])('a code: %s', (_, code, verdict) => {
  expect(checkCode('key', code, now)).toBe(verdict)
})
