import type { ShowTo } from '@atrium/contract/member/privacy'

/** An account with its organisation codes from the root down to its own. */
export type Placed = { accountId: string; path: readonly string[] }

/** Whether a viewer may see a field with this visibility. Visitors are null. */
export function isShown(shownTo: ShowTo, viewer: Placed | null, of: Placed): boolean {
  if (viewer === null) return false
  if (viewer.accountId === of.accountId) return true
  if (shownTo === 'everybody') return true
  const own = of.path.at(-1)
  return shownTo === 'organization' && own !== undefined && viewer.path.includes(own)
}
