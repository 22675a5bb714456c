import { readFixedClock } from './fixed-zones.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** The day it is in a zone, YYYY-MM-DD. A formatter costs far more than what it says, so each zone keeps one. */
export function dayIn(zone: string, moment: Date | number) {
  const fixed = readFixedClock(zone, moment)
  if (fixed) return fixed.toISOString().slice(0, 10)
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
