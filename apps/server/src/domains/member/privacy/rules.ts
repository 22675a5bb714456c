import type { ShowTo } from '@atrium/contract/member/privacy'

/** An account with its organisation codes from the root down to its own. */
export type LocatedAccount = { accountId: string; path: readonly string[] }

/** Whether a viewer may see a field with this visibility. Visitors are null. */
export function isShown(
  shownTo: ShowTo,
  viewer: LocatedAccount | null,
  owner: LocatedAccount,
): boolean {
  if (viewer === null) return false
  if (viewer.accountId === owner.accountId) return true
  if (shownTo === 'everybody') return true
  const ownCode = owner.path.at(-1)
  return shownTo === 'organization' && ownCode !== undefined && viewer.path.includes(ownCode)
}
