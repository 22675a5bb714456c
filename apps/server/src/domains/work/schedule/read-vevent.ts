import ICAL from 'ical.js'
import { shorten } from '#platform/text/shorten.ts'
import { CalendarIssue } from './calendar-issue.ts'
import { type FileZones, instantIn, isUtc, moveZone, type Zone, zoneOf } from './file-zones.ts'
import { maxYear, minYear } from './recurrence.ts'

/** An event as stored: local times in its own zone, `YYYY-MM-DDTHH:MM:SS`. */
export type CalendarEvent = {
  uid: string
  title: string
  location: string
  person: string
  description: string
  startsLocal: string
  minutes: number
  allDay: boolean
  timeZone: string
  /** the VTIMEZONE that applies instead of `timeZone`, for zones defined only in the file */
  zoneDefinition: string | null
  rrule: string
  excludedLocal: string[]
  overrides: Override[]
}
export type Override = {
  originalLocal: string
  startsLocal: string
  minutes: number
  title: string | null
  location: string | null
}
/** A VEVENT, the line on which it begins, and the zones of its calendar. */
export type EventComponent = { part: ICAL.Component; line: number; zones: FileZones }

/** The event and zone in whose local time its other dates are read. */
export type EventContext = { event: CalendarEvent; zone: Zone; zones: FileZones }

/** The event of a single VEVENT, and its zone. */
export function readSingle({ part, zones }: EventComponent): {
  event: Omit<CalendarEvent, 'uid'>
  zone: Zone
} {
  const start = part.getFirstProperty('dtstart')
  if (!start) throw new CalendarIssue('noStart')
  const value = timeOf(start)
  const allDay = value.isDate
  const recurs = ['rrule', 'rdate', 'recurrence-id'].some((name) => part.hasProperty(name))
  const statedZone = zoneOf(start, value, zones)
  // A single event given in UTC or in a zone of the file is stored in the calendar's zone; a recurring one must keep
  // the zone of its rule.
  const isForeignZone = isUtc(statedZone) || statedZone.definition !== null
  const zone = allDay || (isForeignZone && !recurs) ? zones.own : statedZone
  const startsLocal = allDay ? localText(value) : moveZone(localText(value), statedZone, zone)
  const event = {
    title: textOf(part, 'summary', 300) || '（无标题）',
    location: textOf(part, 'location', 300),
    person: personOf(part),
    description: textOf(part, 'description', 10_000),
    startsLocal,
    minutes: minutesOf(part, value, startsLocal, zone, zones),
    allDay,
    timeZone: zone.name,
    zoneDefinition: zone.definition,
    rrule: '',
    excludedLocal: [],
    overrides: [],
  }
  return { event, zone }
}

/** Sanity limit: a longer event is most likely a mistyped date. */
const maxMinutes = 366 * 24 * 60

function minutesOf(
  part: ICAL.Component,
  start: ICAL.Time,
  startsLocal: string,
  zone: Zone,
  zones: FileZones,
): number {
  const end = part.getFirstProperty('dtend')
  const duration = part.getFirstPropertyValue('duration') as ICAL.Duration | null
  const local = Temporal.PlainDateTime.from(startsLocal)
  let minutes = start.isDate ? 24 * 60 : 0
  if (end) {
    const endValue = timeOf(end)
    minutes = start.isDate
      ? local.until(Temporal.PlainDateTime.from(localText(endValue)), { largestUnit: 'minute' })
          .minutes
      : instantIn(zoneOf(end, endValue, zones), localText(endValue)).since(
          instantIn(zone, startsLocal),
          { largestUnit: 'minute' },
        ).minutes
    // Some programs set DTEND of an all-day event to its start.
    if (start.isDate && minutes === 0) minutes = 24 * 60
  } else if (duration) {
    const { isNegative, weeks, days, hours, minutes: extraMinutes, seconds } = duration
    if (isNegative) throw new CalendarIssue('endsBefore')
    // Days and weeks are nominal, hours are exact (RFC 5545 3.3.6).
    const lastDay = localAfter(local, { weeks, days })
    minutes =
      instantIn(start.isDate ? utcZone : zone, lastDay).since(
        instantIn(start.isDate ? utcZone : zone, startsLocal),
        { largestUnit: 'minute' },
      ).minutes +
      hours * 60 +
      extraMinutes +
      Math.floor(seconds / 60)
  }
  if (minutes < 0) throw new CalendarIssue('endsBefore')
  if (minutes > maxMinutes) throw new CalendarIssue('tooLong')
  return minutes
}

const utcZone: Zone = { name: 'UTC', definition: null }
const localAfter = (local: Temporal.PlainDateTime, by: Temporal.DurationLike) =>
  local.add(by).toString({ smallestUnit: 'second' })

export function timeOf(property: ICAL.Property): ICAL.Time {
  const value: unknown = property.getFirstValue()
  if (value instanceof ICAL.Time) return value
  throw new CalendarIssue('noTime', property.name.toUpperCase())
}

/** A date related to an event (an exception or a changed occurrence) in the event's local time. */
export function localIn(
  { event, zone }: EventContext,
  property: ICAL.Property,
  value: ICAL.Time,
  zones: FileZones,
): string {
  const local = localText(value)
  // A date without a time means that day's occurrence.
  if (value.isDate)
    return event.allDay ? local : `${local.slice(0, 10)}${event.startsLocal.slice(10)}`
  if (event.allDay) return `${local.slice(0, 10)}T00:00:00`
  return moveZone(local, zoneOf(property, value, zones), zone)
}

const twoDigits = (number: number) => String(number).padStart(2, '0')
function localText({ year, month, day, hour, minute, second, isDate }: ICAL.Time): string {
  const date = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`
  if (year < minYear || year > maxYear) throw new CalendarIssue('badDate', date)
  const text = isDate
    ? `${date}T00:00:00`
    : `${date}T${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(Math.min(second, 59))}`
  // Rejects dates such as 31 February with a RangeError.
  return Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toString({
    smallestUnit: 'second',
  })
}

const textOf = (part: ICAL.Component, name: string, maxLength: number) => {
  const text = String(part.getFirstPropertyValue(name) ?? '')
    .replaceAll('\0', '')
    .trim()
  return shorten(text, maxLength)
}

function personOf(part: ICAL.Component): string {
  const organizer = part.getFirstProperty('organizer')
  const name = organizer?.getParameter('cn')
  return typeof name === 'string' ? name.replaceAll('"', '').slice(0, 100) : ''
}
