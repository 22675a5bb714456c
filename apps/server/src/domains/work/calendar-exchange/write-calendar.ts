import { setImmediate } from 'node:timers/promises'
import ICAL from 'ical.js'
import { instantIn } from '#domains/work/schedule/file-zones.ts'
import type { CalendarEvent, Override } from '#domains/work/schedule/read-vevent.ts'
import { partsOf, untilOf } from '#domains/work/schedule/recurrence.ts'
import { writeZone } from './write-zones.ts'

/** An event to write; each of its overrides changes an existing occurrence. */
export type WrittenEvent = CalendarEvent & {
  /** ISO 8601, UTC */
  updatedAt: string
  calendarName: string
  url: string
  busy: boolean
  /** category given by the author; by default the calendar's name */
  category?: string
  /** map coordinates */
  point: { latitude: number; longitude: number } | null
  /** an invitation that has not been accepted */
  tentative?: boolean
}
export type CalendarHead = {
  name: string
  /** for programs that display all-day events and times without a zone */
  timeZone: string
  now: Temporal.Instant
}

const prodid = '-//Atrium//Calendar//EN'
/** Events written before other requests get their turn. */
const eventsAtOnce = 100

/** Writes an iCalendar object (RFC 5545) with these events, in lines of at most 75 octets. */
export async function writeCalendar(
  events: readonly WrittenEvent[],
  { name, timeZone, now }: CalendarHead,
): Promise<string> {
  const calendar = new ICAL.Component('vcalendar')
  const title = toSingleLine(name)
  for (const [property, value] of [
    ['version', '2.0'],
    ['prodid', prodid],
    ['calscale', 'GREGORIAN'],
    ['method', 'PUBLISH'],
    ['name', title],
    ['x-wr-calname', title],
    ['x-wr-timezone', timeZone],
    ['x-published-ttl', 'PT1H'],
  ] as const)
    calendar.addPropertyWithValue(property, value)
  const refresh = new ICAL.Property('refresh-interval')
  refresh.resetType('duration')
  refresh.setValue(ICAL.Duration.fromSeconds(3600))
  calendar.addProperty(refresh)
  const clocks = clocksOf(events)
  for (const zone of writeZones(events, clocks, now)) calendar.addSubcomponent(zone)
  const text = [calendar.toString().replace(/\r\nEND:VCALENDAR$/, '')]
  for (const [at, event] of events.entries()) {
    for (const part of writeEvent(event, clocks)) text.push(part.toString())
    if (at % eventsAtOnce === eventsAtOnce - 1) await setImmediate()
  }
  text.push('END:VCALENDAR', '')
  return text.map(foldLines).join('\r\n')
}

/**
 * Writes one event as a CalDAV resource, without the properties of a published calendar (RFC 4791 §4.1).
 * @param finish amends the parts (the event first, then its changed occurrences) and the calendar
 */
export function writeObject(
  event: WrittenEvent,
  now: Temporal.Instant,
  finish: (parts: ICAL.Component[], calendar: ICAL.Component) => void = () => {},
): string {
  const calendar = new ICAL.Component('vcalendar')
  for (const [property, value] of [
    ['version', '2.0'],
    ['prodid', prodid],
    ['calscale', 'GREGORIAN'],
  ] as const)
    calendar.addPropertyWithValue(property, value)
  const clocks = clocksOf([event])
  for (const zone of writeZones([event], clocks, now)) calendar.addSubcomponent(zone)
  const parts = writeEvent(event, clocks)
  finish(parts, calendar)
  for (const part of parts) calendar.addSubcomponent(part)
  return `${foldLines(calendar.toString())}\r\n`
}

// ---- zones ----

/** The time zone of an event: UTC, an IANA zone, or a zone defined in its file, with the TZID to write. */
type Clock = { name: string; definition: string | null; tzid: string | undefined }
type Clocks = (event: CalendarEvent) => Clock

function clocksOf(events: readonly CalendarEvent[]): Clocks {
  // Different files may use the same TZID for different zones.
  const tzids = new Map<string, string>()
  const usedTzids = new Set<string>()
  for (const { zoneDefinition } of events) {
    if (zoneDefinition === null || tzids.has(zoneDefinition)) continue
    const stated = String(zoneOf(zoneDefinition).getFirstPropertyValue('tzid') ?? '') || 'Zone'
    let tzid = stated
    for (let more = 2; usedTzids.has(tzid); more++) tzid = `${stated} ${more}`
    usedTzids.add(tzid)
    tzids.set(zoneDefinition, tzid)
  }
  return ({ timeZone: name, zoneDefinition: definition }) => ({
    name,
    definition,
    tzid:
      definition === null ? (name === 'UTC' ? undefined : name) : (tzids.get(definition) ?? name),
  })
}

const zoneOf = (definition: string) => new ICAL.Component(ICAL.parse(definition) as never)

function writeZones(events: readonly CalendarEvent[], clocks: Clocks, now: Temporal.Instant) {
  const needed = new Map<string, { clock: Clock; from: string }>()
  for (const event of events) {
    const clock = clocks(event)
    if (
      !clock.tzid ||
      (event.allDay && event.overrides.every(({ startsLocal }) => isDay(startsLocal)))
    )
      continue
    const existing = needed.get(clock.tzid)
    const from = existing && existing.from < event.startsLocal ? existing.from : event.startsLocal
    needed.set(clock.tzid, { clock, from })
  }
  return [...needed].map(([tzid, { clock, from }]) => {
    if (clock.definition === null) return writeZone(clock.name, from, now)
    const zone = zoneOf(clock.definition)
    zone.updatePropertyWithValue('tzid', tzid)
    return zone
  })
}

// ---- events ----

function writeEvent(event: WrittenEvent, clocks: Clocks): ICAL.Component[] {
  const clock = clocks(event)
  const master = writePart(event, event, clock)
  if (event.rrule) {
    const rule = ICAL.Recur.fromString(ruleOf(event))
    master.addPropertyWithValue('rrule', rule)
  }
  for (const local of event.excludedLocal) addTime(master, 'exdate', local, event.allDay, clock)
  return [master, ...event.overrides.map((override) => writeOverride(event, override, clock))]
}

function writeOverride(event: WrittenEvent, override: Override, clock: Clock) {
  const { originalLocal, startsLocal, minutes } = override
  const changed = {
    startsLocal,
    minutes,
    allDay: event.allDay && isDay(startsLocal),
    title: override.title ?? event.title,
    location: override.location ?? event.location,
  }
  const part = writePart(event, changed, clock)
  addTime(part, 'recurrence-id', originalLocal, event.allDay, clock)
  return part
}

type Changed = Pick<CalendarEvent, 'startsLocal' | 'minutes' | 'allDay' | 'title' | 'location'>

function writePart(event: WrittenEvent, changed: Changed, clock: Clock) {
  const part = new ICAL.Component('vevent')
  const { startsLocal, allDay } = changed
  part.addPropertyWithValue('uid', toSingleLine(event.uid))
  const stamp = ICAL.Time.fromDateTimeString(`${event.updatedAt.slice(0, 19)}Z`)
  part.addPropertyWithValue('dtstamp', stamp)
  part.addPropertyWithValue('last-modified', stamp)
  addTime(part, 'dtstart', startsLocal, allDay, clock)
  addEnd(part, changed, clock)
  part.addPropertyWithValue('summary', severalLines(changed.title))
  for (const [name, text] of [
    ['location', changed.location],
    ['description', event.description],
    ['categories', event.category || event.calendarName],
  ] as const)
    if (text) part.addPropertyWithValue(name, severalLines(text))
  if (event.url) part.addPropertyWithValue('url', toSingleLine(event.url))
  if (event.tentative) part.addPropertyWithValue('status', 'TENTATIVE')
  if (!event.busy) part.addPropertyWithValue('transp', 'TRANSPARENT')
  // The coordinates belong to the series' location.
  if (event.point && changed.location === event.location)
    part.addPropertyWithValue('geo', [event.point.latitude, event.point.longitude] as never)
  if (event.person) {
    // Only the name is known; `invalid:nomail` is a conventional placeholder for a missing address.
    const organizer = new ICAL.Property('organizer')
    organizer.setParameter('cn', toSingleLine(event.person).replaceAll('"', ''))
    organizer.setValue('invalid:nomail')
    part.addProperty(organizer)
  }
  return part
}

function addTime(
  part: ICAL.Component,
  name: string,
  local: string,
  allDay: boolean,
  { tzid }: Clock,
) {
  const property = new ICAL.Property(name)
  if (allDay) {
    property.resetType('date')
    property.setValue(ICAL.Time.fromDateString(local.slice(0, 10)))
  } else {
    property.setValue(ICAL.Time.fromDateTimeString(tzid ? local : `${local}Z`))
    if (tzid) property.setParameter('tzid', tzid)
  }
  part.addProperty(property)
}

function addEnd(part: ICAL.Component, { startsLocal, minutes, allDay }: Changed, clock: Clock) {
  const start = Temporal.PlainDateTime.from(startsLocal)
  if (allDay) {
    const days = Math.max(1, Math.ceil(minutes / (24 * 60)))
    addTime(part, 'dtend', localText(start.add({ days })), true, clock)
    return
  }
  if (minutes === 0) return
  if (clock.definition === null) {
    const end = instantIn(clock, startsLocal).add({ minutes })
    const local = localText(end.toZonedDateTimeISO(clock.name).toPlainDateTime())
    // An ambiguous local end time, when clocks go back, is written as a duration.
    if (Temporal.Instant.compare(instantIn(clock, local), end) === 0) {
      addTime(part, 'dtend', local, false, clock)
      return
    }
  }
  const hours = Math.floor(minutes / 60)
  part.addPropertyWithValue('duration', new ICAL.Duration({ hours, minutes: minutes % 60 }))
}

/** The rule with UNTIL as RFC 5545 3.3.10 requires: a date for all-day events, otherwise UTC. */
function ruleOf(event: CalendarEvent): string {
  const parts = partsOf(event)
  const until = untilOf(event, parts)
  if (until) {
    const utc = until.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')
    const day = () => until.toZonedDateTimeISO(event.timeZone).toPlainDate().toString()
    parts.set('UNTIL', event.allDay ? day().replaceAll('-', '') : utc)
  }
  return [...parts].map(([name, value]) => `${name}=${value}`).join(';')
}

const isDay = (local: string) => local.slice(11, 19) === '00:00:00'
const localText = (time: Temporal.PlainDateTime) => time.toString({ smallestUnit: 'second' })

// ---- text ----

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a text of RFC 5545 must not hold
const controls = /[\0-\x08\x0b-\x1f\x7f]/g
const severalLines = (text: string) => text.replaceAll(/\r\n?/g, '\n').replaceAll(controls, '')
/** For values and parameters that must not contain line breaks. */
export const toSingleLine = (text: string) => severalLines(text).replaceAll(/\s+/g, ' ').trim()

/**
 * Folds lines to at most 75 octets including the leading space, which ical.js does not count. Characters stay whole.
 */
export function foldLines(text: string): string {
  const lines: string[] = []
  for (const line of text.replaceAll('\r\n ', '').split('\r\n')) {
    let rest = ''
    let octets = 0
    for (const character of line) {
      const size = Buffer.byteLength(character)
      if (octets + size > 75) {
        lines.push(rest)
        rest = ' '
        octets = 1
      }
      rest += character
      octets += size
    }
    lines.push(rest)
  }
  return lines.join('\r\n')
}
