import { dayIn } from '@atrium/rules/day-in'

/**
 * Whether an article counts as new: published less than `days` days ago, counted from the start of the day in the
 * institution's zone. `days` is the raw setting; if empty, nothing is new.
 */
export function isNew(releasedAt: string, days: string | undefined, now: number, zone: string) {
  const count = Number(days)
  if (!releasedAt || !days || !(count > 0)) return false
  const dayOf = (moment: number) => Date.parse(dayIn(moment, zone)) / 86_400_000
  const age = dayOf(now) - dayOf(Date.parse(releasedAt))
  return age >= 0 && age < count
}
