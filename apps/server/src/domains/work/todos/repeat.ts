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
  let at = Temporal.Instant.fromEpochMilliseconds(dueAt)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
  const instant = () => at.toZonedDateTime(timeZone).epochMilliseconds
  do at = step(repeat, at, day)
  while (instant() <= now)
  return instant()
}

function step(repeat: Exclude<Repeat, 'none'>, at: Temporal.PlainDateTime, day: number) {
  switch (repeat) {
    case 'daily':
      return at.add({ days: 1 })
    case 'weekdays':
      return at.add({ days: at.dayOfWeek >= 5 ? 8 - at.dayOfWeek : 1 })
    case 'weekly':
      return at.add({ days: 7 })
    case 'monthly':
      return at.with({ day: 1 }).add({ months: 1 }).with({ day }, { overflow: 'constrain' })
    case 'yearly':
      return at.with({ day: 1 }).add({ years: 1 }).with({ day }, { overflow: 'constrain' })
  }
}
