import { format } from '#lib/format.ts'

/** The UTC offset at a moment, such as UTC+8. */
export function offsetOf(zone: string, moment: Date) {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(moment)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const localTime = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
  )
  const minutes = Math.round((localTime - Math.floor(moment.getTime() / 60_000) * 60_000) / 60_000)
  const size = Math.abs(minutes)
  const rest = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`
  return `UTC${minutes < 0 ? '−' : '+'}${Math.floor(size / 60)}${rest}`
}

/** 中国标准时间, China Standard Time */
export const zoneName = (zone: string, moment: Date) =>
  // The name follows the day, which is cut off.
  format(moment, { timeZone: zone, timeZoneName: 'long', day: 'numeric' }).replace(
    /^\d+日?,?\s*/,
    '',
  )
