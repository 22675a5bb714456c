import type { Occurrence } from '@atrium/contract/work/schedule'
import type { TaskLine } from '@atrium/contract/work/tasks'
import { dayIn } from '@atrium/rules/day-in'
import { readFixedClock } from '@atrium/rules/fixed-zones'
import { nextOf, upcoming } from './today.ts'

/**
 * What is most useful on home now. `soon`: an event begins within the hour, so its room and the way; `noon`: where to
 * eat; `evening`: tomorrow; `day`: the rest of the day.
 */
export type HomeFocus = 'soon' | 'noon' | 'evening' | 'day'

const minute = 60_000
const soon = 60 * minute
/** An event ending within this time does not count as busy at noon. */
const nearlyOver = 20 * minute
const noonFrom = 10 * 60 + 45
const noonUntil = 13 * 60 + 15
/** From then on it is evening if nothing is left today; from `lateFrom` in any case. */
const eveningFrom = 17 * 60
const lateFrom = 21 * 60

/** @param now milliseconds @param zone the member's time zone */
export function homeFocusOf(today: readonly Occurrence[], now: number, zone: string): HomeFocus {
  const timed = upcoming(today, now).filter(({ allDay, struck }) => !allDay && !struck)
  const next = nextOf(timed, now)
  if (next && Date.parse(next.startsAt) - now <= soon) return 'soon'
  const clock = minuteOfDay(now, zone)
  const busy = timed.some(
    ({ startsAt, endsAt }) => Date.parse(startsAt) <= now && Date.parse(endsAt) - now > nearlyOver,
  )
  if (clock >= noonFrom && clock < noonUntil && !busy) return 'noon'
  if (clock >= lateFrom && !busy) return 'evening'
  return clock >= eveningFrom && timed.length === 0 ? 'evening' : 'day'
}

/** Minutes since midnight in a time zone. */
export function minuteOfDay(now: number, zone: string): number {
  const fixed = readFixedClock(zone, now)
  if (fixed) return fixed.getUTCHours() * 60 + fixed.getUTCMinutes()
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone: zone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' },
  }).formatToParts(now)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  return of('hour') * 60 + of('minute')
}

const minShown = 2

/** The to-dos shown on home: all that are overdue or due today, but at least two. The list is ordered by due date. */
export function urgentTodos(list: readonly TaskLine[], now: number, zone: string) {
  const today = dayIn(now, zone)
  const isDue = ({ dueAt }: TaskLine) => dueAt !== null && dayIn(Date.parse(dueAt), zone) <= today
  const due = list.filter(isDue)
  return {
    shown: list.slice(0, Math.max(minShown, due.length)),
    dueToday: due.length,
  }
}
