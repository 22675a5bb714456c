import type { todoRepeats } from '@atrium/contract/work/todos'

export type Repeat = (typeof todoRepeats)[number]

/**
 * The next due time of a repeating to-do, in its time zone.
 * @param dueAt in ms
 * @param day original day of the month, so that one due on the 31st returns to the 31st after 28 February
 * @param now in ms; missed dates are skipped, so an overdue to-do reappears once
 * @returns ms; undefined for one that does not repeat
 */
export function nextDue(
  repeat: Repeat,
  dueAt: number,
  timeZone: string,
  day: number,
  now: number,
): number | undefined {
  if (repeat === 'none') return undefined
  const localAt = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDateTime()
  let date = skipMissed(repeat, localAt(dueAt), localAt(now), day)
  const instant = () => date.toZonedDateTime(timeZone).epochMilliseconds
  do date = step(repeat, date, day)
  while (instant() <= now)
  return instant()
}

type Period = Exclude<Repeat, 'none' | 'weekdays'>
const units = { daily: 'days', weekly: 'weeks', monthly: 'months', yearly: 'years' } as const

/**
 * Jumps over missed dates: stepping through centuries of days would block the server. It stops two periods before now,
 * so that clock changes do not matter.
 */
function skipMissed(
  repeat: Period | 'weekdays',
  due: Temporal.PlainDateTime,
  now: Temporal.PlainDateTime,
  day: number,
) {
  const period = repeat === 'weekdays' ? 'weekly' : repeat
  const unit = units[period]
  const count = due.until(now, { largestUnit: unit })[unit] - 2
  return count > 0 ? advance(period, due, day, count) : due
}

const step = (repeat: Period | 'weekdays', date: Temporal.PlainDateTime, day: number) =>
  repeat === 'weekdays'
    ? date.add({ days: date.dayOfWeek >= 5 ? 8 - date.dayOfWeek : 1 })
    : advance(repeat, date, day, 1)

function advance(period: Period, date: Temporal.PlainDateTime, day: number, count: number) {
  switch (period) {
    case 'daily':
      return date.add({ days: count })
    case 'weekly':
      return date.add({ weeks: count })
    case 'monthly':
      return date.with({ day: 1 }).add({ months: count }).with({ day }, { overflow: 'constrain' })
    case 'yearly':
      return date.with({ day: 1 }).add({ years: count }).with({ day }, { overflow: 'constrain' })
  }
}
