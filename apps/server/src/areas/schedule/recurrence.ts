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

/** An endless rule is written out this far; the daily job moves the end. */
export const horizonYears = 3
/** A rule that yields more than this is cut: no calendar of a person needs it. */
const mostOccurrences = 3000

/**
 * Every occurrence of a series that starts before `until`, in UTC.
 * @returns the spans, and whether the rule goes on after `until`
 */
export function expand(
  series: Series,
  until: Temporal.Instant,
): { spans: Span[]; goesOn: boolean } {
  const excluded = new Set(series.excludedLocal.map(toMinute))
  const overrides = new Map(
    series.overrides.map((override) => [toMinute(override.originalLocal), override]),
  )
  const { starts, goesOn } = series.rrule
    ? recur(series, until)
    : { starts: [series.startsLocal], goesOn: false }
  const spans = starts
    .filter((start) => !excluded.has(toMinute(start)))
    .map((original) => {
      const { startsLocal, minutes } = overrides.get(toMinute(original)) ?? {
        startsLocal: original,
        minutes: series.minutes,
      }
      return { originalLocal: original, ...spanOf(startsLocal, minutes, series) }
    })
  return { spans, goesOn }
}

function recur(series: Series, until: Temporal.Instant) {
  const rule = new RRuleTemporal({
    rruleString: `DTSTART;TZID=${series.timeZone}:${basic(series.startsLocal)}\nRRULE:${zonedUntil(series)}`,
    maxIterations: 20_000,
  })
  const starts: string[] = []
  let goesOn = false
  rule.all((date) => {
    if (
      starts.length >= mostOccurrences ||
      date.toInstant().epochMilliseconds >= until.epochMilliseconds
    ) {
      goesOn = starts.length < mostOccurrences
      return false
    }
    starts.push(date.toPlainDateTime().toString({ smallestUnit: 'second' }))
    return true
  })
  return { starts, goesOn }
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
