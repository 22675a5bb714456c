import { dayIn } from '@atrium/rules/day-in'
import { addDays } from '#domains/work/schedule/days.ts'
import { formatTime } from '#lib/format.ts'

/** Default times of one hour: today from the next full hour, on other days in the morning. */
export function firstTimes(zone: string, requestedDay?: string) {
  const now = new Date()
  const today = dayIn(now, zone)
  const hour = Number(formatTime(now, zone).slice(0, 2)) + 1
  const day = requestedDay && /^\d{4}-\d{2}-\d{2}$/.test(requestedDay) ? requestedDay : today
  const time = (at: number) => `${String(at % 24).padStart(2, '0')}:00`
  if (day !== today) return { firstDay: day, starts: '09:00', lastDay: day, ends: '10:00' }
  const shift = (at: number) => (at >= 24 ? addDays(day, 1) : day)
  return {
    firstDay: shift(hour),
    starts: time(hour),
    lastDay: shift(hour + 1),
    ends: time(hour + 1),
  }
}
