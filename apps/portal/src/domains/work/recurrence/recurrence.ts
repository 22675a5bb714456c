import { dayIn } from '@atrium/rules/day-in'
import { parseZonedTime } from '@atrium/rules/parse-zoned-time'

/** A recurrence rule, as far as it fits a simple sentence. Weekdays: 0 is Monday. */
export type Recurrence = {
  unit: 'day' | 'week' | 'month' | 'year'
  every: number
  /** Weekly: on these weekdays. */
  weekdays: number[]
  /** Monthly: on this day of the month (-1 is the last), or on the nth weekday (-1 is the last). */
  monthDay?: number
  nth?: { place: number; weekday: number }
  count?: number
  /** YYYY-MM-DD */
  until?: string
}

const units = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const knownParts = new Set('FREQ INTERVAL BYDAY BYMONTHDAY BYMONTH COUNT UNTIL WKST'.split(' '))

/** Parses a rule; undefined if it is too complex for a short sentence. */
export function parseRule(rrule: string, zone = 'UTC'): Recurrence | undefined {
  const pairs = rrule.replace(/^RRULE:/i, '').split(';')
  const rule = new Map(pairs.map((pair) => pair.toUpperCase().split('=') as [string, string]))
  const unit = units[(rule.get('FREQ') ?? '') as keyof typeof units]
  if (!unit || [...rule.keys()].some((name) => !knownParts.has(name))) return undefined
  const recurrence: Recurrence = { unit, every: Number(rule.get('INTERVAL') ?? 1), weekdays: [] }

  const days = (rule.get('BYDAY') ?? '').split(',').filter(Boolean).map(parseDay)
  if (days.includes(undefined)) return undefined
  const plain = days.flatMap((day) => (day && day.place === 0 ? day.weekday : []))
  const monthDays = rule.get('BYMONTHDAY')
  if (unit === 'week' && plain.length === days.length) recurrence.weekdays = plain.sort()
  else if (unit === 'month' && days.length === 1 && days[0]?.place) recurrence.nth = days[0]
  else if (days.length > 0) return undefined
  if (monthDays !== undefined) {
    if (unit === 'day' || unit === 'week' || recurrence.nth || !/^(-1|\d{1,2})$/.test(monthDays))
      return undefined
    if (unit === 'month') recurrence.monthDay = Number(monthDays)
  }
  if (rule.has('BYMONTH') && unit !== 'year') return undefined

  const until = untilDay(rule.get('UNTIL') ?? '', zone)
  if (until) recurrence.until = until
  if (rule.has('COUNT')) recurrence.count = Number(rule.get('COUNT'))
  return recurrence
}

function parseDay(text: string) {
  const match = /^([+-]?\d)?(MO|TU|WE|TH|FR|SA|SU)$/.exec(text)
  const place = Number(match?.[1] ?? 0)
  if (!match || place < -1 || place > 5) return undefined
  return { place, weekday: weekdays.indexOf(match[2] ?? '') }
}

/** The last possible day of a rule: UNTIL is a moment or a date. */
function untilDay(until: string, zone: string) {
  const [, year, month, day, time] = /^(\d{4})(\d{2})(\d{2})(?:T(\d{4})\d{2}Z)?/.exec(until) ?? []
  if (!year) return undefined
  const written = `${year}-${month}-${day}`
  if (!time) return written
  return dayIn(parseZonedTime(`${written}T${time.slice(0, 2)}:${time.slice(2)}Z`, zone), zone)
}

/** The end of a series, separate from its rule: 0 never, 1 on the day `val`, 2 after `val` times. */
export type DateEndSet = { index: 0 | 1 | 2; val: string }

/** Splits a rule into the rule without its end, and its end. */
export function splitRule(
  rrule: string,
  zone: string,
): { repeatSet: string; dateEndSet: DateEndSet } {
  const parts = rrule
    .replace(/^RRULE:/i, '')
    .split(';')
    .filter(Boolean)
  const value = (name: string) =>
    parts.find((part) => part.toUpperCase().startsWith(`${name}=`))?.slice(name.length + 1)
  const until = untilDay(value('UNTIL') ?? '', zone)
  const count = value('COUNT')
  return {
    repeatSet: parts.filter((part) => !/^(UNTIL|COUNT)=/i.test(part)).join(';'),
    dateEndSet: until
      ? { index: 1, val: until }
      : count
        ? { index: 2, val: count }
        : { index: 0, val: '' },
  }
}

/** Joins them again. The last day is included until its end in the event's zone. */
export function joinRule(
  repeatSet: string,
  { index, val }: DateEndSet,
  allDay: boolean,
  zone: string,
) {
  if (!repeatSet || index === 0 || !val) return repeatSet
  if (index === 2) return `${repeatSet};COUNT=${val}`
  if (allDay) return `${repeatSet};UNTIL=${val.replace(/-/g, '')}`
  const last = new Date(parseZonedTime(`${val}T23:59:59`, zone)).toISOString()
  return `${repeatSet};UNTIL=${last.slice(0, 19).replace(/[-:]/g, '')}Z`
}

/** The rule, without an end, for the chosen values. */
export function writeRule({ unit, every, weekdays: on, monthDay, nth }: Recurrence) {
  const frequency = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' }[unit]
  return [
    `FREQ=${frequency}`,
    every > 1 && `INTERVAL=${every}`,
    unit === 'week' &&
      on.length > 0 &&
      `BYDAY=${[...on]
        .sort()
        .map((weekday) => weekdays[weekday])
        .join(',')}`,
    unit === 'month' && monthDay !== undefined && `BYMONTHDAY=${monthDay}`,
    unit === 'month' && nth && `BYDAY=${nth.place}${weekdays[nth.weekday]}`,
  ]
    .filter(Boolean)
    .join(';')
}
