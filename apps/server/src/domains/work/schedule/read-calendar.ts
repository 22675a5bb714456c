import { createHash } from 'node:crypto'
import ICAL from 'ical.js'
import { StartError } from '#platform/environment.ts'
import { short } from '#platform/ingest/cells.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import {
  type FileZones,
  instantIn,
  isUtc,
  moveZone,
  readZones,
  type Zone,
  zoneOf,
} from './file-zones.ts'
import { expand, occursAt } from './recurrence.ts'

/** An event as the tables keep it: wall-clock times in its own zone, `YYYY-MM-DDTHH:MM:SS`. */
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
  /** the VTIMEZONE that counts instead, where only the file knows the zone */
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
/** An event, or what is wrong with one; `row` is the line on which it begins. */
export type ReadEvent = { row: number; event: CalendarEvent | undefined; issue: string | undefined }

/** A VEVENT, the line it begins on, and the zones of its calendar. */
type Part = { part: ICAL.Component; line: number; zones: FileZones }

/**
 * The events of an iCalendar text.
 * @param note is told what is left out without being wrong
 * @throws StartError when it is none
 */
export function readCalendar(
  text: string,
  { from, timeZone }: { from: string; timeZone: string },
  note: (sentence: string) => void,
): ReadEvent[] {
  const parts = readParts(text, from, timeZone)
  const series = new Map<string, { masters: Part[]; changes: Part[] }>()
  for (const part of parts) {
    const uid = uidOf(part.part)
    const entry = series.get(uid) ?? { masters: [], changes: [] }
    entry[part.part.hasProperty('recurrence-id') ? 'changes' : 'masters'].push(part)
    series.set(uid, entry)
  }
  return [...series].flatMap(([uid, { masters, changes }]) => {
    const read: ReadEvent[] = []
    const attempt: Attempt = ({ part, line }, work) => {
      try {
        return work()
      } catch (error) {
        const title = short(String(part.getFirstPropertyValue('summary') ?? uid))
        const known = error instanceof RowIssue || error instanceof RangeError
        const sentence = known
          ? (error as Error).message
          : `cannot be read: ${(error as Error).message}`
        read.push({ row: line, event: undefined, issue: `(${title}) ${sentence}` })
        return undefined
      }
    }
    const master = newest(masters, note)
    const events = master
      ? attempt(master, () => readSeries({ uid, master, changes, attempt, note }))
      : readLone(uid, changes, attempt, note)
    const row = (master ?? changes[0])?.line ?? 1
    return [...(events ?? []).map((event) => ({ row, event, issue: undefined })), ...read]
  })
}

function readParts(text: string, from: string, timeZone: string): Part[] {
  let calendars: ICAL.Component[]
  try {
    const parsed = ICAL.parse(text) as unknown[]
    calendars = (Array.isArray(parsed[0]) ? (parsed as unknown[][]) : [parsed]).map(
      (part) => new ICAL.Component(part as never),
    )
  } catch (error) {
    throw new StartError(`${from} is not an iCalendar file: ${(error as Error).message}.`)
  }
  if (!calendars.some((calendar) => calendar.name === 'vcalendar'))
    throw new StartError(`${from} is not an iCalendar file: it has no VCALENDAR.`)
  const lines = text
    .split(/\r\n|\r|\n/)
    .flatMap((line, at) => (/^BEGIN:VEVENT\s*$/i.test(line) ? [at + 1] : []))
  return calendars.flatMap((calendar) => {
    const zones = readZones(calendar, timeZone)
    return calendar
      .getAllSubcomponents('vevent')
      .map((part) => ({ part, zones, line: lines.shift() ?? 1 }))
  })
}

const uidOf = (part: ICAL.Component) => {
  const uid = String(part.getFirstPropertyValue('uid') ?? '').trim()
  if (uid && uid.length <= 400) return uid
  return createHash('sha256')
    .update(
      uid || `${part.getFirstPropertyValue('dtstart')} ${part.getFirstPropertyValue('summary')}`,
    )
    .digest('hex')
}

type Note = (sentence: string) => void
/** Runs what may find an issue in one VEVENT; then it is reported, and nothing comes back. */
type Attempt = <T>(part: Part, work: () => T) => T | undefined

/** Of several versions of one thing the one with the highest SEQUENCE; of equal ones the last. */
function newest(versions: readonly Part[], note: Note): Part | undefined {
  let found: Part | undefined
  for (const version of versions) {
    const [used, unused] =
      found && sequenceOf(found) > sequenceOf(version) ? [found, version] : [version, found]
    if (unused) note(`line ${unused.line}: not used, line ${used.line} is a newer version of it`)
    found = used
  }
  return found
}
const sequenceOf = ({ part }: Part) => Number(part.getFirstPropertyValue('sequence') ?? 0) || 0

/** Changed occurrences whose series was not sent stand alone. */
function readLone(uid: string, changes: readonly Part[], attempt: Attempt, note: Note) {
  const byTime = Map.groupBy(changes, ({ part }) =>
    String(part.getFirstPropertyValue('recurrence-id')),
  )
  return [...byTime].flatMap(([time, versions]): CalendarEvent[] => {
    const change = newest(versions, note)
    if (!change || isCancelled(change.part)) return []
    const single = attempt(change, () => readSingle(change))
    return single ? [{ ...single.event, uid: `${uid}/${time}` }] : []
  })
}

function readSeries(given: {
  uid: string
  master: Part
  changes: readonly Part[]
  attempt: Attempt
  note: Note
}): CalendarEvent[] {
  const { uid, master, attempt, note } = given
  if (isCancelled(master.part)) return []
  const { event: single, zone } = readSingle(master)
  const event: CalendarEvent = { ...single, uid }
  const rules = master.part.getAllProperties('rrule')
  if (rules.length > 1 || master.part.hasProperty('exrule'))
    throw new RowIssue('has several recurrence rules; one is supported')
  event.rrule = rules.length > 0 ? String(rules[0]?.getFirstValue()) : ''
  if (event.allDay && /FREQ=(HOUR|MINUTE|SECOND)LY/i.test(event.rrule))
    throw new RowIssue('lasts whole days and repeats within a day')
  const within = { event, zone, zones: master.zones }
  const excluded = new Set(
    timesOf(master, 'exdate', within, attempt).map(({ startsLocal }) => startsLocal),
  )
  const dates = new Map(
    timesOf(master, 'rdate', within, attempt)
      .filter(({ startsLocal }) => startsLocal !== event.startsLocal)
      .map((date) => [date.startsLocal, date]),
  )
  const plain = { ...event, excludedLocal: [], overrides: [] }
  // Tried here, so that a rule that cannot be followed fails this entry and not the whole file.
  const { spans, cut } = expand(plain, Temporal.Now.instant())
  if (cut)
    note(
      `line ${master.line}: “${short(event.title)}” repeats so often that only the last 1,000 times before today and the next 2,000 are kept; every night they move on`,
    )
  const written = new Set(spans.map(({ originalLocal }) => originalLocal))
  const inRule = (local: string) => written.has(local) || (cut && occursAt(plain, local))
  const extra: CalendarEvent[] = []
  const overrides: Override[] = []
  for (const [originalLocal, versions] of changesOf(given.changes, within, attempt)) {
    const change = newest(versions, note)
    if (!change) continue
    if (isCancelled(change.part)) {
      excluded.add(originalLocal)
      continue
    }
    const changed = attempt(change, () => readSingle(change))
    if (!changed) continue
    const override = {
      originalLocal,
      startsLocal: moveZone(changed.event.startsLocal, changed.zone, zone),
      minutes: changed.event.minutes,
      title: changed.event.title === event.title ? null : changed.event.title,
      location: changed.event.location === event.location ? null : changed.event.location,
    }
    if (excluded.has(originalLocal))
      note(`line ${change.line}: not used, the series excludes the occurrence that it changes`)
    else if (inRule(originalLocal)) overrides.push(override)
    else {
      // A date beside the rule, or one that the series does not have: it stands alone.
      dates.delete(originalLocal)
      extra.push({ ...changed.event, uid: `${uid}/${originalLocal}` })
    }
  }
  event.excludedLocal = [...excluded].sort()
  event.overrides = overrides.sort((a, b) => (a.originalLocal < b.originalLocal ? -1 : 1))
  // Dates beside the rule become events of their own: a series has one rule and nothing else.
  for (const { startsLocal, minutes } of dates.values())
    if (!excluded.has(startsLocal) && !inRule(startsLocal))
      extra.push({
        ...event,
        uid: `${uid}/${startsLocal}`,
        startsLocal,
        minutes: minutes ?? event.minutes,
        rrule: '',
        excludedLocal: [],
        overrides: [],
      })
  return [event, ...extra.sort((a, b) => (a.uid < b.uid ? -1 : 1))]
}

/** What times beside an event are read on: its own clock. */
type Within = { event: CalendarEvent; zone: Zone; zones: FileZones }

/** The dates of a property on the event's clock; one with an issue is reported and left out. */
function timesOf(master: Part, name: 'exdate' | 'rdate', within: Within, attempt: Attempt) {
  return master.part.getAllProperties(name).flatMap((property) =>
    (property.getValues() as unknown[]).flatMap((value) => {
      const time = value instanceof ICAL.Period ? value.start : value
      if (!(time instanceof ICAL.Time)) return []
      const read = attempt(master, () => ({
        startsLocal: localIn(within, property, time, within.zones),
        minutes:
          value instanceof ICAL.Period
            ? Math.max(0, Math.round(value.getDuration().toSeconds() / 60))
            : undefined,
      }))
      return read ? [read] : []
    }),
  )
}

/** The changes of a series by the occurrence they change, on its own clock. */
function changesOf(changes: readonly Part[], within: Within, attempt: Attempt) {
  const byTime = new Map<string, Part[]>()
  for (const change of changes) {
    const local = attempt(change, () => {
      const at = change.part.getFirstProperty('recurrence-id') as ICAL.Property
      if (at.getParameter('range'))
        throw new RowIssue('changes an occurrence “and all following”, which is not supported')
      return localIn(within, at, timeOf(at), change.zones)
    })
    if (local) byTime.set(local, [...(byTime.get(local) ?? []), change])
  }
  return byTime
}

const isCancelled = (part: ICAL.Component) =>
  String(part.getFirstPropertyValue('status') ?? '').toUpperCase() === 'CANCELLED'

function readSingle({ part, zones }: Part): { event: Omit<CalendarEvent, 'uid'>; zone: Zone } {
  const start = part.getFirstProperty('dtstart')
  if (!start) throw new RowIssue('has no start (DTSTART)')
  const value = timeOf(start)
  const allDay = value.isDate
  const recurs = ['rrule', 'rdate', 'recurrence-id'].some((name) => part.hasProperty(name))
  const stated = zoneOf(start, value, zones)
  // A single moment given in UTC is shown on the calendar's own clock; a rule must keep the clock it was made for.
  const elsewhere = isUtc(stated) || stated.definition !== null
  const zone = allDay || (elsewhere && !recurs) ? zones.own : stated
  const startsLocal = allDay ? localText(value) : moveZone(localText(value), stated, zone)
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

/** Longer than any event is; more is a slip in a date. */
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
    // Some programs end a day on itself.
    if (start.isDate && minutes === 0) minutes = 24 * 60
  } else if (duration) {
    const { isNegative, weeks, days, hours, minutes: rest, seconds } = duration
    if (isNegative) throw new RowIssue('ends before it starts')
    // Days and weeks are those of the clock, hours are real ones (RFC 5545 3.3.6).
    const lastDay = localAfter(local, { weeks, days })
    minutes =
      instantIn(start.isDate ? utcZone : zone, lastDay).since(
        instantIn(start.isDate ? utcZone : zone, startsLocal),
        { largestUnit: 'minute' },
      ).minutes +
      hours * 60 +
      rest +
      Math.floor(seconds / 60)
  }
  if (minutes < 0) throw new RowIssue('ends before it starts')
  if (minutes > maxMinutes) throw new RowIssue('lasts longer than a year')
  return minutes
}

const utcZone: Zone = { name: 'UTC', definition: null }
const localAfter = (local: Temporal.PlainDateTime, by: Temporal.DurationLike) =>
  local.add(by).toString({ smallestUnit: 'second' })

function timeOf(property: ICAL.Property): ICAL.Time {
  const value: unknown = property.getFirstValue()
  if (value instanceof ICAL.Time) return value
  throw new RowIssue(`has no time in ${property.name.toUpperCase()}`)
}

/** A moment named beside an event (an exception, a changed occurrence) on the event's own clock. */
function localIn(
  { event, zone }: Within,
  property: ICAL.Property,
  value: ICAL.Time,
  zones: FileZones,
): string {
  const local = localText(value)
  // A day alone means the occurrence of that day.
  if (value.isDate)
    return event.allDay ? local : `${local.slice(0, 10)}${event.startsLocal.slice(10)}`
  if (event.allDay) return `${local.slice(0, 10)}T00:00:00`
  return moveZone(local, zoneOf(property, value, zones), zone)
}

const two = (number: number) => String(number).padStart(2, '0')
function localText({ year, month, day, hour, minute, second, isDate }: ICAL.Time): string {
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  if (year < 1900 || year > 2200) throw new RowIssue(`has the date ${date}, which cannot be right`)
  const text = isDate
    ? `${date}T00:00:00`
    : `${date}T${two(hour)}:${two(minute)}:${two(Math.min(second, 59))}`
  // Refuses the 31st of February with a RangeError.
  return Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toString({
    smallestUnit: 'second',
  })
}

const textOf = (part: ICAL.Component, name: string, most: number) => {
  const text = String(part.getFirstPropertyValue(name) ?? '')
    .replaceAll('\0', '')
    .trim()
  return [...text].length > most ? `${[...text].slice(0, most - 1).join('')}…` : text
}

function personOf(part: ICAL.Component): string {
  const organizer = part.getFirstProperty('organizer')
  const name = organizer?.getParameter('cn')
  return typeof name === 'string' ? name.replaceAll('"', '').slice(0, 100) : ''
}
