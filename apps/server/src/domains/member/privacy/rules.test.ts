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
  ['organization', 'a member of a sub-organisation', below, true],
  ['organization', 'a member of the parent organisation', above, false],
  ['organization', 'a member of another organisation', other, false],
  ['nobody', 'a colleague', colleague, false],
  ['nobody', 'the member themselves', of, true],
])('a field shown to %s, viewed by %s', (shownTo, _, viewer, may) => {
  expect(isShown(shownTo, viewer, of)).toBe(may)
})
