import type { todoRepeats } from '@atrium/contract/work/todos'

export type Repeat = (typeof todoRepeats)[number]

/**
 * When a repeating to-do is due next, by the clock of its zone.
 * @param dueAt in ms
 * @param day of the month that it began with: from the 31st it goes over the 28th of February back to the 31st
 * @param now in ms; what was left undone for weeks comes back once, not for each time it was missed
 * @returns ms; nothing for one that does not repeat
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
