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
  let date = Temporal.Instant.fromEpochMilliseconds(dueAt)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
  const instant = () => date.toZonedDateTime(timeZone).epochMilliseconds
  do date = step(repeat, date, day)
  while (instant() <= now)
  return instant()
}

function step(repeat: Exclude<Repeat, 'none'>, date: Temporal.PlainDateTime, day: number) {
  switch (repeat) {
    case 'daily':
      return date.add({ days: 1 })
    case 'weekdays':
      return date.add({ days: date.dayOfWeek >= 5 ? 8 - date.dayOfWeek : 1 })
    case 'weekly':
      return date.add({ days: 7 })
    case 'monthly':
      return date.with({ day: 1 }).add({ months: 1 }).with({ day }, { overflow: 'constrain' })
    case 'yearly':
      return date.with({ day: 1 }).add({ years: 1 }).with({ day }, { overflow: 'constrain' })
  }
}
