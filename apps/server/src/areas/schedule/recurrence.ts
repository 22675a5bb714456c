import { RRuleTemporal } from 'rrule-temporal'

/** A series as the table keeps it: wall-clock times in its own zone. */
export type Series = {
  /** `YYYY-MM-DDTHH:MM:SS`, without a zone */
  startsLocal: string
  minutes: number
  allDay: boolean
  timeZone: string
  /** RFC 5545 RRULE without the name, or empty */
  rrule: string
  excludedLocal: readonly string[]
  overrides: readonly { originalLocal: string; startsLocal: string; minutes: number }[]
}
export type Span = { originalLocal: string; startsAt: string; endsAt: string }

/** An endless rule is written out this far beyond today and beyond its start; the daily job moves the end. */
const horizonYears = 3
/** A rule that yields more than this is cut: no calendar of a person needs it. */
const mostOccurrences = 3000

/**
 * Every occurrence of a series, in UTC; of an endless one, those before the horizon.
 * @returns the spans, and the horizon as an instant where the rule goes on beyond it
 */
export function expand(
  series: Series,
  today: Temporal.Instant,
): { spans: Span[]; until: string | null } {
  const excluded = new Set(series.excludedLocal.map(toMinute))
  const overrides = new Map(
    series.overrides.map((override) => [toMinute(override.originalLocal), override]),
  )
  const { starts, until } = series.rrule
    ? recur(series, horizonOf(series, today))
    : { starts: [series.startsLocal], until: null }
  const spans = starts
    .filter((start) => !excluded.has(toMinute(start)))
    .map((original) => {
      const { startsLocal, minutes } = overrides.get(toMinute(original)) ?? {
        startsLocal: original,
        minutes: series.minutes,
      }
      return { originalLocal: original, ...spanOf(startsLocal, minutes, series) }
    })
  return { spans, until }
}

/** No horizon for a rule that ends by itself. */
function horizonOf({ rrule, startsLocal, timeZone }: Series, today: Temporal.Instant): number {
  if (/\b(COUNT|UNTIL)=/.test(rrule)) return Number.POSITIVE_INFINITY
  const [now, start] = [
    today.toZonedDateTimeISO(timeZone),
    Temporal.PlainDateTime.from(startsLocal).toZonedDateTime(timeZone),
  ].map((from) => from.add({ years: horizonYears }).epochMilliseconds)
  return Math.max(now ?? 0, start ?? 0)
}

function recur(series: Series, horizon: number) {
  const rule = new RRuleTemporal({
    rruleString: `DTSTART;TZID=${series.timeZone}:${basic(series.startsLocal)}\nRRULE:${zonedUntil(series)}`,
    maxIterations: 20_000,
  })
  const starts: string[] = []
  let until: string | null = null
  rule.all((date) => {
    if (starts.length >= mostOccurrences) return false
    if (date.epochMilliseconds >= horizon) {
      until = new Date(horizon).toISOString()
      return false
    }
    starts.push(date.toPlainDateTime().toString({ smallestUnit: 'second' }))
    return true
  })
  return { starts, until }
}

/** UNTIL may be a day or a local time (old files write it so); the rule wants an instant. */
const zonedUntil = ({ rrule, timeZone }: Series) =>
  rrule.replace(/UNTIL=(\d{8})(?:T(\d{6}))?(?!\d|T|Z)(?!Z)/, (_, day: string, time = '235959') => {
    const local = Temporal.PlainDateTime.from(`${day}T${time}`)
    return `UNTIL=${basic(local.toZonedDateTime(timeZone).withTimeZone('UTC').toPlainDateTime().toString({ smallestUnit: 'second' }))}Z`
  })

/** All-day spans run from midnight to midnight on the wall clock, so a day of 23 hours is still a day. */
function spanOf(startsLocal: string, minutes: number, { allDay, timeZone }: Series) {
  const local = Temporal.PlainDateTime.from(startsLocal)
  const start = local.toZonedDateTime(timeZone).toInstant()
  const end = allDay
    ? local.add({ minutes }).toZonedDateTime(timeZone).toInstant()
    : start.add({ minutes })
  return { startsAt: iso(start), endsAt: iso(end) }
}

const iso = (instant: Temporal.Instant) => instant.toString({ smallestUnit: 'millisecond' })
const toMinute = (local: string) => local.slice(0, 16)
const basic = (local: string) => local.slice(0, 19).replaceAll(/[-:]/g, '')
