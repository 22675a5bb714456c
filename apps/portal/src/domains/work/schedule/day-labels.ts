import { format } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { addDays, type Day, type Month, monthOf, utcMidnightOf, weekOf } from './days.ts'

// Days have no zone, so they are formatted as days in UTC.

/** 2026年11月, Nov 2026 */
export const monthName = (month: Month) =>
  format(utcMidnightOf(`${month}-01`), { year: 'numeric', month: 'short', timeZone: 'UTC' })

/** 11月23日 周一 */
export const dayName = (day: Day) =>
  m.schedule_day({
    date: format(utcMidnightOf(day), { month: 'short', day: 'numeric', timeZone: 'UTC' }),
    weekday: format(utcMidnightOf(day), { weekday: 'short', timeZone: 'UTC' }),
  })

/** 2026年11月23日星期一 */
export const fullDayName = (day: Day) =>
  format(utcMidnightOf(day), {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    weekday: 'long',
    timeZone: 'UTC',
  })

/** 11月23日 – 29日, or the visible range of days. */
export function spanName(from: Day, to: Day) {
  const short = (day: Day) =>
    format(utcMidnightOf(day), { month: 'short', day: 'numeric', timeZone: 'UTC' })
  return from === to ? short(from) : m.schedule_span({ from: short(from), to: short(to) })
}

export const weekName = (day: Day) => {
  const days = weekOf(day)
  return spanName(days[0] ?? day, days[6] ?? day)
}

/** The seven weekdays from Monday: short names to show, long ones for screen readers. */
export const weekdayNames = () =>
  weekOf('2024-01-01').map((day) => ({
    day,
    short: format(utcMidnightOf(day), { weekday: 'narrow', timeZone: 'UTC' }),
    long: format(utcMidnightOf(day), { weekday: 'long', timeZone: 'UTC' }),
  }))

/** Every day from `from` to `to`, inclusive. */
export function daysFrom(from: Day, to: Day): Day[] {
  const days: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

export const lastDayOf = (month: Month): Day => {
  let day = `${month}-28`
  while (monthOf(addDays(day, 1)) === month) day = addDays(day, 1)
  return day
}
