import { dayIn } from '@atrium/rules/day-in'

/**
 * Whether an article counts as new: the beginning of the day it came out lies less than so many days back, as the institution
 * counts them. `days` is the setting as it stands; an empty one means that nothing is marked.
 */
export function isNew(releasedAt: string, days: string | undefined, now: number, zone: string) {
  const count = Number(days)
  if (!releasedAt || !days || !(count > 0)) return false
  const dayOf = (moment: number) => Date.parse(dayIn(zone, moment)) / 86_400_000
  const age = dayOf(now) - dayOf(Date.parse(releasedAt))
  return age >= 0 && age < count
}
