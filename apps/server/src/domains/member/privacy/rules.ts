import type { ShowTo } from '@atrium/contract/member/privacy'

/** Somebody as the rules look at them: who, and codes of organisations from the root down to their own. */
export type Placed = { accountId: string; path: readonly string[] }

/** Whether a viewer may see what a member shows to so many. A visitor is null. */
export function isShown(shownTo: ShowTo, viewer: Placed | null, of: Placed): boolean {
  if (viewer === null) return false
  if (viewer.accountId === of.accountId) return true
  if (shownTo === 'everybody') return true
  const own = of.path.at(-1)
  return shownTo === 'organization' && own !== undefined && viewer.path.includes(own)
}
