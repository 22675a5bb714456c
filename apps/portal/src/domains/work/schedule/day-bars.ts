import type { Occurrence } from '@atrium/contract/work/schedule'
import type { Day } from './days.ts'

/** An event that lasts whole days, as one bar over the days that show. */
export type DayBar = {
  event: Occurrence
  /** column of its first day that shows, from 0 */
  from: number
  /** how many columns it covers */
  count: number
  /** line it stands on, from 0: bars of one line do not touch */
  line: number
  /** it began before, or goes on after, what shows */
  before: boolean
  after: boolean
}

/** @param days that show, one after the other @param eventsOf those that last all day, of each */
export function barsOf(
  days: readonly Day[],
  eventsOf: (day: Day) => readonly Occurrence[],
): DayBar[] {
  const [first = '', last = ''] = [days[0], days[days.length - 1]]
  const known = new Set<string>()
  const bars: DayBar[] = []
  /** for each line, the first column that is free */
  const free: number[] = []
  for (const [from, day] of days.entries())
    for (const event of eventsOf(day)) {
      const key = `${event.id} ${event.startsAt} ${event.struck}`
      if (known.has(key)) continue
      known.add(key)
      const end = event.lastDay > last ? days.length : days.indexOf(event.lastDay) + 1
      const count = Math.max(1, end - from)
      const at = free.findIndex((column) => column <= from)
      const line = at < 0 ? free.length : at
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
