/** A calendar day as YYYY-MM-DD, without a zone, so that arithmetic is not affected by clock changes. */
export type Day = string
/** YYYY-MM */
export type Month = string

const aDay = 24 * 3_600_000

export const utcMidnightOf = (day: Day) => new Date(`${day}T00:00:00Z`)
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

export const addDays = (day: Day, count: number): Day =>
  dayOf(new Date(utcMidnightOf(day).getTime() + count * aDay))
export const daysBetween = (from: Day, to: Day) =>
  Math.round((utcMidnightOf(to).getTime() - utcMidnightOf(from).getTime()) / aDay)

/** 0 is Monday. */
export const weekdayOf = (day: Day) => (utcMidnightOf(day).getUTCDay() + 6) % 7
export const mondayOf = (day: Day) => addDays(day, -weekdayOf(day))

export const monthOf = (day: Day): Month => day.slice(0, 7)
export function addMonths(month: Month, count: number): Month {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return dayOf(new Date(Date.UTC(year, number - 1 + count, 1))).slice(0, 7)
}
/** The same day of another month, or its last day. */
export function moveMonths(day: Day, count: number): Day {
  const month = addMonths(monthOf(day), count)
  const last = addDays(`${addMonths(month, 1)}-01`, -1)
  const same = `${month}-${day.slice(8)}`
  return same < last ? same : last
}

export const weekOf = (day: Day): Day[] => {
  const monday = mondayOf(day)
  return Array.from({ length: 7 }, (_, at) => addDays(monday, at))
}
/** Six weeks from the Monday on or before the first: includes every week that touches the month. */
export function gridOf(month: Month): Day[] {
  const first = mondayOf(`${month}-01`)
  return Array.from({ length: 42 }, (_, at) => addDays(first, at))
}
