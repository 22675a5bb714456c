import { openingState, parseOpeningHours } from '@atrium/rules/opening-hours'

/** Whether a desk with these opening hours is open; empty: always. */
export function isOpen(hours: string, timeZone: string, now = Temporal.Now.instant()): boolean {
  if (hours === '') return true
  const week = parseOpeningHours(hours)
  if (!week) return false
  const localTime = now.toZonedDateTimeISO(timeZone)
  return openingState(week, localTime.dayOfWeek - 1, localTime.hour * 60 + localTime.minute).open
}
