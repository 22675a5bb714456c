/**
 * Whether an article counts as new: the beginning of the day it came out lies at most so many days back. `days` is the setting
 * as it stands; an empty one means that nothing is marked.
 */
export function isNew(releasedAt: string, days: string | undefined, now: number) {
  const count = Number(days)
  if (!releasedAt || !days || !(count > 0)) return false
  const start = new Date(releasedAt).setHours(0, 0, 0, 0)
  return start <= now && now - start <= count * 24 * 60 * 60_000
}
