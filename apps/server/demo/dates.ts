/**
 * Dates of the demo institution. A day is a string YYYY-MM-DD in the institution's time zone, Asia/Shanghai. There has
 * been no daylight saving since 1991, so plain arithmetic on days is correct.
 */
export type Day = string

const zoneOffset = '+08:00'
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const weekdayNames = ['周日', '周一', '周二', '周三', '周四', '周五', '周六']

export const dayOf = (moment: Date): Day =>
  new Date(moment.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)

export function addDays(day: Day, days: number): Day {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

export const daysBetween = (from: Day, to: Day) =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)

/** 0 is Sunday, as in JavaScript. */
export const weekdayOf = (day: Day) => new Date(`${day}T00:00:00Z`).getUTCDay()

export const mondayOf = (day: Day): Day => addDays(day, -((weekdayOf(day) + 6) % 7))

/** The moment when campus time is `time` (HH:MM) on this day. */
export const at = (day: Day, time: string) => new Date(`${day}T${time}:00${zoneOffset}`)

/**
 * Replaces date placeholders in a text. They are relative to `base`, usually the day the text appeared: `{+3}` 11月24日 ·
 * `{+3w}` 11月24日（周二） · `{fri+1}` the Friday of next week · `{year}` `{year-1}` · `{schoolYear}` 2026—2027. The flag y
 * adds the year, e makes the date English: `{+3e}` 24 November, `{+3we}` Tuesday 24 November.
 */
export function writeDates(text: string, base: Day): string {
  return text
    .replace(
      /\{(mon|tue|wed|thu|fri|sat|sun)?([+-]\d+)([wye]*)\}/g,
      (_, weekday: string | undefined, count: string, flags: string) =>
        writeDay(
          weekday ? weekdayFrom(base, weekday, Number(count)) : addDays(base, Number(count)),
          flags,
        ),
    )
    .replace(/\{year([+-]\d+)?\}/g, (_, more?: string) =>
      String(Number(base.slice(0, 4)) + Number(more ?? 0)),
    )
    .replace(/\{schoolYear\}/g, () => schoolYear(base))
}

/** A weekday (`thu`) this many weeks after the week of `base`. */
export function weekdayFrom(base: Day, weekday: string, weeks: number): Day {
  return addDays(mondayOf(base), weeks * 7 + ((weekdays.indexOf(weekday) + 6) % 7))
}

/** 2026—2027; a school year begins in August. */
function schoolYear(day: Day) {
  const year = Number(day.slice(0, 4)) - (Number(day.slice(5, 7)) < 8 ? 1 : 0)
  return `${year}—${year + 1}`
}

function writeDay(day: Day, flags: string) {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  if (flags.includes('e')) {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'long',
      weekday: flags.includes('w') ? 'long' : undefined,
      year: flags.includes('y') ? 'numeric' : undefined,
    }).format(new Date(`${day}T00:00:00Z`))
  }
  const weekday = flags.includes('w') ? `（${weekdayNames[weekdayOf(day)]}）` : ''
  return `${flags.includes('y') ? `${year}年` : ''}${month}月${date}日${weekday}`
}
