import { readFixedClock } from './fixed-zones.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
/**
 * Day names by days since 1970. A month view formats the same few days repeatedly, and formatting dominates its cost.
 */
const dayNames = new Map<number, string>()
const maxDayNames = 1000

/** The day in a zone, YYYY-MM-DD. Creating a formatter is far costlier than using it, so each zone's is cached. */
export function dayIn(moment: Date | number, zone: string) {
  const fixed = readFixedClock(zone, moment)
  if (fixed) return dayName(fixed)
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    formats.set(zone, format)
  }
  return format.format(moment)
}

function dayName(clock: Date) {
  const number = Math.floor(Number(clock) / 86_400_000)
  let name = dayNames.get(number)
  if (name === undefined) {
    if (dayNames.size >= maxDayNames) dayNames.clear()
    name = clock.toISOString().slice(0, 10)
    dayNames.set(number, name)
  }
  return name
}
