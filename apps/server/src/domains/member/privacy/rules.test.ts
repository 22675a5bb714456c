import type { ShowTo } from '@atrium/contract/member/privacy'
import { expect, test } from 'vitest'
import { isShown } from './rules.ts'

const of = { accountId: '1', path: ['U', 'CS'] }
const colleague = { accountId: '2', path: ['U', 'CS'] }
const below = { accountId: '3', path: ['U', 'CS', 'CS-1'] }
const above = { accountId: '4', path: ['U'] }
const other = { accountId: '5', path: ['U', 'EE'] }

test.each<[ShowTo, string, typeof of | null, boolean]>([
  ['everybody', 'a visitor', null, false],
  ['everybody', 'another member', other, true],
  ['organization', 'a visitor', null, false],
  ['organization', 'a colleague', colleague, true],
  ['organization', 'somebody of a part of it', below, true],
  ['organization', 'somebody of what it is a part of', above, false],
  ['organization', 'somebody of another one', other, false],
  ['nobody', 'a colleague', colleague, false],
  ['nobody', 'oneself', of, true],
])('shown to %s: %s', (shownTo, _, viewer, may) => {
  expect(isShown(shownTo, viewer, of)).toBe(may)
})
