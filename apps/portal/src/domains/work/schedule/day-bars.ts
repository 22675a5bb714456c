import type { Occurrence } from '@atrium/contract/work/schedule'
import type { Day } from './days.ts'

/** An all-day event, as one bar across the visible days. */
export type DayBar = {
  event: Occurrence
  /** column of its first visible day, from 0 */
  from: number
  /** number of columns it covers */
  count: number
  /** line of the bar, from 0; bars on one line do not overlap */
  line: number
  /** it began before, or continues after, the visible days */
  before: boolean
  after: boolean
}

/** @param days consecutive visible days @param eventsOf the all-day events of a day */
export function barsOf(
  days: readonly Day[],
  eventsOf: (day: Day) => readonly Occurrence[],
): DayBar[] {
  const [first = '', last = ''] = [days[0], days[days.length - 1]]
  const seen = new Set<string>()
  const bars: DayBar[] = []
  /** for each line, the first free column */
  const free: number[] = []
  for (const [from, day] of days.entries())
    for (const event of eventsOf(day)) {
      const key = `${event.id} ${event.startsAt} ${event.struck}`
      if (seen.has(key)) continue
      seen.add(key)
      const end = event.lastDay > last ? days.length : days.indexOf(event.lastDay) + 1
      const count = Math.max(1, end - from)
      const freeLine = free.findIndex((column) => column <= from)
      const line = freeLine < 0 ? free.length : freeLine
      free[line] = from + count
      bars.push({
        event,
        from,
        count,
        line,
        before: event.firstDay < first,
        after: event.lastDay > last,
      })
    }
  return bars
}
