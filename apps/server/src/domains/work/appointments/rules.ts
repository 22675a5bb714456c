import { expand, maxYear, minYear, type Series } from '#domains/work/schedule/recurrence.ts'

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']
const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const maxCount = 1000
const maxInterval = 400
const numbers = (min: number, max: number) => (value: string) =>
  value.split(',').every((one) => /^-?\d{1,3}$/.test(one) && inRange(Number(one), min, max))
const inRange = (one: number, min: number, max: number) => one >= min && one <= max && one !== 0
/** The rule parts members may use (RFC 5545 3.3.10): nothing more frequent than daily. */
const parts: Record<string, (value: string) => boolean> = {
  FREQ: (value) => frequencies.includes(value),
  INTERVAL: (value) => /^\d{1,3}$/.test(value) && inRange(Number(value), 1, maxInterval),
  COUNT: (value) => /^\d{1,4}$/.test(value) && inRange(Number(value), 1, maxCount),
  UNTIL: (value) => /^\d{8}(T\d{6}Z?)?$/.test(value),
  BYDAY: (value) =>
    value.split(',').every((one) => /^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)$/.test(one)),
  BYMONTHDAY: numbers(-31, 31),
  BYMONTH: numbers(1, 12),
  BYSETPOS: numbers(-366, 366),
  WKST: (value) => days.includes(value),
}

export type Rule = Map<string, string>
const parseRule = (rrule: string): Rule =>
  new Map(
    rrule
      .split(';')
      .filter(Boolean)
      .map((part) => part.split('=', 2) as [string, string]),
  )
const writeRule = (rule: Rule) => [...rule].map((part) => part.join('=')).join(';')

/** Whether members may set the rule, and it yields an occurrence that is not excluded. */
export function isSeries(series: Series): boolean {
  if (series.rrule) {
    const pairs = series.rrule.split(';').map((part) => part.split('=', 2))
    const names = pairs.map(([name = '']) => name)
    const isSupported = pairs.every(
      ([name = '', value = '']) => Object.hasOwn(parts, name) && parts[name]?.(value),
    )
    if (!isSupported || !names.includes('FREQ') || new Set(names).size < names.length) return false
    if (names.includes('COUNT') && names.includes('UNTIL')) return false
  }
  try {
    return occurrencesOf(series).length > 0
  } catch {
    // A date or combination that does not exist.
    return false
  }
}

const occurrencesOf = (series: Series) =>
  expand(
    series,
    Temporal.PlainDateTime.from(series.startsLocal).toZonedDateTime(series.timeZone).toInstant(),
  ).spans

/** Moves the weekdays of a weekly rule along with its first day; other rules stay unchanged. */
export function shiftRule(rrule: string, byDays: number): string {
  const rule = parseRule(rrule)
  const byDay = rule.get('BYDAY')
  if (!byDay || rule.get('FREQ') !== 'WEEKLY' || byDays % 7 === 0) return rrule
  const shiftedIndex = (day: string) => (((days.indexOf(day) + byDays) % 7) + 7) % 7
  rule.set(
    'BYDAY',
    byDay
      .split(',')
      .map((day) => days[shiftedIndex(day)])
      .join(','),
  )
  return writeRule(rule)
}

/**
 * Splits a series before one of its occurrences.
 * @param original its local time, YYYY-MM-DDTHH:MM
 * @returns the rules of both parts
 */
export function splitRule(series: Series, original: string): { before: string; after: string } {
  const rule = parseRule(series.rrule)
  const after = new Map(rule)
  const count = rule.get('COUNT')
  if (count) {
    const all = occurrencesOf({ ...series, excludedLocal: [], overrides: [] })
    const countBefore = all.filter(
      ({ originalLocal }) => originalLocal.slice(0, 16) < original,
    ).length
    after.set('COUNT', String(Number(count) - countBefore))
    rule.delete('COUNT')
  }
  rule.set('UNTIL', untilBefore(series, original))
  return { before: writeRule(rule), after: writeRule(after) }
}

/**
 * UNTIL for a series that ends before this occurrence: a date for all-day events, otherwise an instant (RFC 5545
 * 3.3.10).
 */
function untilBefore({ allDay, timeZone }: Series, original: string) {
  const start = Temporal.PlainDateTime.from(original)
  if (allDay) return start.toPlainDate().subtract({ days: 1 }).toString().replaceAll('-', '')
  const last = start.toZonedDateTime(timeZone).toInstant().subtract({ seconds: 1 })
  return `${last.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '').slice(0, 15)}Z`
}

/** Minutes from one local time to another. */
export const minutesBetween = (from: string, to: string) =>
  Temporal.PlainDateTime.from(from).until(Temporal.PlainDateTime.from(to), {
    largestUnit: 'minutes',
  }).minutes

/** A local time this many minutes later, YYYY-MM-DDTHH:MM. */
export const localAfter = (local: string, minutes: number) =>
  Temporal.PlainDateTime.from(local).add({ minutes }).toString({ smallestUnit: 'minute' })

/** Whether the local time exists. */
export function isLocal(local: string) {
  try {
    return Temporal.PlainDateTime.from(local, { overflow: 'reject' }) !== undefined
  } catch {
    return false
  }
}

/** Whether an event may start at this local time, which exists. */
export function isInYears(local: string) {
  const { year } = Temporal.PlainDateTime.from(local)
  return year >= minYear && year <= maxYear
}

type Span = { startsAt: number; endsAt: number }

/**
 * Times of this length at which everybody is free, starting on the half hour in a zone.
 * @param busy of everybody, in milliseconds
 * @param days YYYY-MM-DD; searched from 08:00 to 20:00
 * @param notBefore milliseconds
 */
export function freeSpans(
  busy: readonly Span[],
  {
    days,
    minutes,
    timeZone,
    notBefore,
  }: { days: readonly string[]; minutes: number; timeZone: string; notBefore: number },
  max = 10,
): Span[] {
  const found: Span[] = []
  for (const day of days)
    for (let at = 8 * 60; at + minutes <= 20 * 60; at += 30) {
      const clock = Temporal.PlainTime.from({ hour: Math.floor(at / 60), minute: at % 60 })
      const startsAt = Temporal.PlainDate.from(day).toZonedDateTime({
        timeZone,
        plainTime: clock,
      }).epochMilliseconds
      const endsAt = startsAt + minutes * 60_000
      if (startsAt < notBefore) continue
      if (busy.some((span) => span.startsAt < endsAt && span.endsAt > startsAt)) continue
      found.push({ startsAt, endsAt })
      if (found.length === max) return found
    }
  return found
}
