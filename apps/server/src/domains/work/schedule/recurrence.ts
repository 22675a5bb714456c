import { RRuleTemporal } from 'rrule-temporal'
import { instantIn, wallClockIn } from './file-zones.ts'
import { isYearDayRule, yearDayStarts } from './year-days.ts'

/** A series as stored: local times in its own zone. */
export type Series = {
  /** `YYYY-MM-DDTHH:MM:SS`, without a zone */
  startsLocal: string
  minutes: number
  allDay: boolean
  timeZone: string
  /** the VTIMEZONE of a zone defined only in the file; takes precedence over `timeZone` */
  zoneDefinition?: string | null
  /** RFC 5545 RRULE without the name, or empty */
  rrule: string
  excludedLocal: readonly string[]
  overrides: readonly { originalLocal: string; startsLocal: string; minutes: number }[]
}
export type Span = { originalLocal: string; startsAt: string; endsAt: string }

/** Years in which an event may start; limits how far some rules are followed. */
export const minYear = 1900
export const maxYear = 2200

/** An endless rule is expanded this far beyond today, or beyond its start if later; the daily job extends it. */
const horizonYears = 3
/** A rule with an end of its own is followed at most this far. */
const maxHorizonYears = 200
/** Maximum occurrences before and from today; the rest of a longer series is cut. */
const maxPast = 1000
const maxFuture = 2000
/** Iteration limit for rules with COUNT, which must be followed from their first occurrence. */
const maxCounted = 100_000

/**
 * Expands a series into occurrences in UTC; for an endless or very long one, those around today.
 * @returns the spans; `until`: the instant up to which a longer rule was expanded, or null; `cut`: whether occurrences
 * were cut on either side
 */
export function expand(
  series: Series,
  today: Temporal.Instant,
): { spans: Span[]; until: string | null; cut: boolean } {
  const excluded = new Set(series.excludedLocal.map(toMinute))
  const overrides = new Map(
    series.overrides.map((override) => [toMinute(override.originalLocal), override]),
  )
  const { starts, until, cut } = series.rrule
    ? computeStarts(series, today)
    : { starts: [series.startsLocal], until: null, cut: false }
  const spans = starts
    .filter((start) => !excluded.has(toMinute(start)))
    .map((original) => {
      const { startsLocal, minutes } = overrides.get(toMinute(original)) ?? {
        startsLocal: original,
        minutes: series.minutes,
      }
      return { originalLocal: original, ...spanOf(startsLocal, minutes, series) }
    })
  return { spans, until, cut }
}

/** Whether the series has an occurrence starting at this local time. */
export function occursAt(series: Series, local: string): boolean {
  const bareSeries = { ...series, excludedLocal: [], overrides: [] }
  return expand(bareSeries, instantOf(series, local)).spans.some(
    (span) => toMinute(span.originalLocal) === toMinute(local),
  )
}

type SplitTimes = { before: string[]; from: string[] }

function computeStarts(series: Series, today: Temporal.Instant) {
  const parts = partsOf(series)
  const start = instantOf(series, series.startsLocal)
  const now = Temporal.Instant.compare(today, start) < 0 ? start : today
  const end = horizonOf(series, parts, now)
  const times =
    parts.has('COUNT') || isYearDayRule(parts)
      ? followRule(series, parts, now, end)
      : searchAround(series, parts, { start, now, end })
  // DTSTART is always the first occurrence, whether or not it matches the rule (RFC 5545 3.8.5.3 leaves this undefined;
  // other programs do the same).
  const cutBefore = times.before.length > maxPast
  const starts = [...times.before.slice(-maxPast), ...times.from.slice(0, maxFuture)]
  if (!cutBefore && starts[0] !== series.startsLocal) starts.unshift(series.startsLocal)
  const next = times.from[maxFuture]
  const endless = !parts.has('COUNT') && !parts.has('UNTIL')
  const until = next ? instantOf(series, next) : endless ? end : undefined
  return { starts, until: until ? iso(until) : null, cut: cutBefore || next !== undefined }
}

/** The parts of a rule. Time-of-day parts are ignored for all-day events (RFC 5545 3.3.10). */
export function partsOf({ rrule, allDay }: Series): Map<string, string> {
  const parts = new Map(
    rrule.split(';').flatMap((part) => {
      const [name = '', value = ''] = part.split('=')
      return name && value ? [[name.trim().toUpperCase(), value.trim()] as const] : []
    }),
  )
  if (allDay) for (const name of ['BYHOUR', 'BYMINUTE', 'BYSECOND']) parts.delete(name)
  return parts
}

/** How far to expand a rule: to its own end, or a number of years beyond today. */
function horizonOf(series: Series, parts: Map<string, string>, now: Temporal.Instant) {
  const until = untilOf(series, parts)
  const years = parts.has('COUNT') || until ? maxHorizonYears : horizonYears
  const horizon = now.toZonedDateTimeISO('UTC').add({ years }).toInstant()
  return until ? earlierOf(until.add({ milliseconds: 1 }), horizon) : horizon
}

/** UNTIL may also be a date or a local time, as in older files. */
export function untilOf(series: Series, parts: Map<string, string>): Temporal.Instant | undefined {
  const [, day, time = '235959', utc] =
    /^(\d{8})(?:T(\d{6}))?(Z?)$/i.exec(parts.get('UNTIL') ?? '') ?? []
  if (!day) return undefined
  const local = Temporal.PlainDateTime.from(`${day}T${time}`)
  return utc
    ? local.toZonedDateTime('UTC').toInstant()
    : instantOf(series, local.toString({ smallestUnit: 'second' }))
}

function libraryRule(series: Series, ruleParts: Map<string, string>) {
  const parts = new Map(ruleParts)
  const until = untilOf(series, parts)
  const zone = ruleZone(series)
  if (until) {
    // For a VTIMEZONE zone, the rule is evaluated in local time as if it were UTC.
    const local = series.zoneDefinition
      ? wallClockIn(series.zoneDefinition, until)
      : until.toZonedDateTimeISO('UTC').toPlainDateTime()
    parts.set('UNTIL', `${basic(local.toString({ smallestUnit: 'second' }))}Z`)
  }
  const rule = [...parts].map(([name, value]) => `${name}=${value}`).join(';')
  return new RRuleTemporal({
    rruleString: `DTSTART;TZID=${zone}:${basic(series.startsLocal)}\nRRULE:${rule}`,
    maxIterations: maxCounted,
    cache: false,
  })
}

const ruleZone = ({ timeZone, zoneDefinition }: Series) => (zoneDefinition ? 'UTC' : timeZone)

/** Follows the rule from its first occurrence. */
function followRule(
  series: Series,
  parts: Map<string, string>,
  now: Temporal.Instant,
  end: Temporal.Instant,
): SplitTimes {
  const limit = Math.min(Number(parts.get('COUNT') ?? maxCounted), maxCounted)
  const times: SplitTimes = { before: [], from: [] }
  let count = 0
  const collect = (local: string): boolean => {
    const at = instantOf(series, local)
    if (Temporal.Instant.compare(at, end) >= 0 || times.from.length > maxFuture) return false
    // COUNT includes DTSTART.
    if (count === 0 && local !== series.startsLocal) count = 1
    if (++count > limit) return false
    if (Temporal.Instant.compare(at, now) < 0) times.before.push(local)
    else times.from.push(local)
    return true
  }
  if (isYearDayRule(parts)) {
    const lastYear = end.toZonedDateTimeISO('UTC').year
    for (const local of yearDayStarts(parts, series.startsLocal, lastYear))
      if (isOnClock(series, local) && !collect(local)) break
  } else {
    try {
      libraryRule(series, parts).all((date) => collect(localOf(date)))
    } catch (error) {
      // The library found no occurrence for an impossible date such as 31 February.
      if (!/^Maximum iterations/.test((error as Error).message)) throw error
    }
  }
  return times
}

/**
 * Expands around today without following the rule from its start, which could take millions of steps for a rule by the
 * minute.
 */
function searchAround(
  series: Series,
  parts: Map<string, string>,
  { start, now, end }: Record<'start' | 'now' | 'end', Temporal.Instant>,
): SplitTimes {
  const rule = libraryRule(series, parts)
  const list = (from: Temporal.Instant, to: Temporal.Instant) =>
    rule
      .between(ruleTime(series, from), ruleTime(series, to), true)
      .filter(
        (date) =>
          Temporal.ZonedDateTime.compare(date, ruleTime(series, from)) >= 0 &&
          Temporal.ZonedDateTime.compare(date, ruleTime(series, to)) < 0,
      )
      .map(localOf)
  const step = stepOf(parts)
  const before: string[] = []
  let at = now
  for (let width = step; isAfter(at, start) && before.length <= maxPast; width *= 2) {
    const earlier = laterOf(start, at.subtract({ minutes: width }))
    before.unshift(...list(earlier, at))
    at = earlier
  }
  const from: string[] = []
  at = now
  for (let width = step; isAfter(end, at) && from.length <= maxFuture; width *= 2) {
    const later = earlierOf(end, at.add({ minutes: width }))
    from.push(...list(at, later))
    at = later
  }
  return { before, from }
}

const isAfter = (a: Temporal.Instant, b: Temporal.Instant) => Temporal.Instant.compare(a, b) > 0
const laterOf = (a: Temporal.Instant, b: Temporal.Instant) => (isAfter(a, b) ? a : b)
const earlierOf = (a: Temporal.Instant, b: Temporal.Instant) => (isAfter(a, b) ? b : a)

/**
 * Initial search window, in minutes. Wider ones follow until enough occurrences are found, so that a rule since 1900
 * does not list every date since then.
 */
function stepOf(parts: Map<string, string>): number {
  const often: Record<string, number> = { SECONDLY: 15, MINUTELY: 24 * 60, HOURLY: 60 * 24 * 60 }
  const several = parts.has('BYHOUR') || parts.has('BYMINUTE') || parts.has('BYSECOND')
  return often[parts.get('FREQ') ?? ''] ?? (several ? 60 * 24 * 60 : 10 * 366 * 24 * 60)
}

// ---- time zones ----

const instantOf = ({ timeZone, zoneDefinition }: Series, local: string) =>
  instantIn({ name: timeZone, definition: zoneDefinition ?? null }, local)

/** An instant in the zone in which the rule is evaluated. */
const ruleTime = (series: Series, instant: Temporal.Instant) =>
  series.zoneDefinition
    ? wallClockIn(series.zoneDefinition, instant).toZonedDateTime('UTC')
    : instant.toZonedDateTimeISO(series.timeZone)

/** False for local times skipped by a clock change; such occurrences are dropped. */
const isOnClock = ({ timeZone, zoneDefinition }: Series, local: string) =>
  Boolean(zoneDefinition) ||
  localOf(Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone)) === local

const localOf = (date: { toPlainDateTime: () => Temporal.PlainDateTime }) =>
  date.toPlainDateTime().toString({ smallestUnit: 'second' })

/** All-day spans run from local midnight to midnight, so that a day of 23 hours is still one day. */
function spanOf(startsLocal: string, minutes: number, series: Series) {
  const start = instantOf(series, startsLocal)
  const end = series.allDay
    ? instantOf(series, localAfter(startsLocal, minutes))
    : start.add({ minutes })
  return { startsAt: iso(start), endsAt: iso(end) }
}

const localAfter = (local: string, minutes: number) =>
  Temporal.PlainDateTime.from(local).add({ minutes }).toString({ smallestUnit: 'second' })
const iso = (instant: Temporal.Instant) => instant.toString({ smallestUnit: 'millisecond' })
const toMinute = (local: string) => local.slice(0, 16)
const basic = (local: string) => local.slice(0, 19).replaceAll(/[-:]/g, '')
