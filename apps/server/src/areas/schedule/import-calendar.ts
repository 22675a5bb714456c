import { createHash } from 'node:crypto'
import { isTimeZone } from '@atrium/contract/config-checks'
import ICAL from 'ical.js'
import { sql } from 'kysely'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { openAudienceCheck } from '#platform/audience-text.ts'
import type { Db } from '#platform/db.ts'
import { StartError } from '#platform/environment.ts'
import { type Counts, type Import, RowFault, short, upsertRows } from '#platform/import.ts'
import { raiseTopic } from '#platform/topics.ts'
import { writeOccurrences } from './queries.ts'
import { expand } from './recurrence.ts'
import { windowsZones } from './windows-zones.ts'

export type CalendarSettings = {
  /** the file, for sentences */
  from: string
  name: string
  /** who sees it, or whose it is */
  to: { rules: readonly Rule[] } | { owner: string }
  /** the institution's zone: for times that name none, and for whole days */
  timeZone: string
  /** take events away that an earlier file had and this one has not */
  prune?: boolean
  now: Date
}

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
  rrule: string
  excludedLocal: string[]
  overrides: Override[]
}
type Override = {
  originalLocal: string
  startsLocal: string
  minutes: number
  title: string | null
  location: string | null
}
export type ReadEvent = { row: number; event: CalendarEvent | undefined; fault: string | undefined }

/** Events of an iCalendar file, found again by their UID in the calendar of this name. */
export async function importCalendar(
  run: Import,
  text: string,
  settings: CalendarSettings,
): Promise<Counts> {
  const { db } = run
  const read = readCalendar(text, settings)
  run.read({ rows: read.length, share: 1 })
  const events: CalendarEvent[] = []
  for (const { row, event, fault } of read) {
    if (event) events.push(event)
    else run.fault(row, fault ?? 'cannot be read')
  }
  const calendarId = await findOrMakeCalendar(run, settings)
  const counts = await upsertRows(
    run,
    {
      table: 'event',
      key: ['calendar_id', 'uid'],
      columns: [
        'calendar_id',
        'uid',
        'title',
        'location',
        'person',
        'description',
        'starts_local',
        'minutes',
        'all_day',
        'time_zone',
        'rrule',
        'excluded_local',
      ],
      also: sql`, updated_at = now()`,
    },
    events,
    (event) => [
      calendarId,
      event.uid,
      event.title,
      event.location,
      event.person,
      event.description,
      event.startsLocal,
      event.minutes,
      event.allDay,
      event.timeZone,
      event.rrule,
      event.excludedLocal,
    ],
  )
  const added = counts.ids.filter((row) => row.added).map((row) => row.id)
  const written = new Set(counts.ids.map((row) => row.id))
  for (const id of await writeOverrides(db, calendarId, events)) written.add(id)
  await writeOccurrences(db, [...written], settings.now)
  const gone = await findMissing(db, calendarId, read, events)
  if (gone.length > 0 && settings.prune) {
    await db.deleteFrom('event').where('id', '=', sql<string>`any(${gone}::bigint[])`).execute()
    run.note(`taken away, because the file has them no more: ${gone.length}`)
  } else if (gone.length > 0)
    run.note(`kept, though the file has them no more: ${gone.length} (--prune takes them away)`)
  if (written.size > 0 || (settings.prune && gone.length > 0)) await raiseTopic(db, 'schedule')
  return {
    added: added.length,
    changed: written.size - added.length,
    unchanged: events.length - written.size,
  }
}

async function findOrMakeCalendar(run: Import, settings: CalendarSettings): Promise<string> {
  const { db, note } = run
  const source = 'import'
  if ('owner' in settings.to) {
    const owner = await db
      .selectFrom('account')
      .select(['id', 'username'])
      .where('username', '=', settings.to.owner.toLowerCase())
      .executeTakeFirst()
    if (!owner) throw new StartError(`There is no account ${settings.to.owner}.`)
    const key = `${owner.username}/${settings.name}`
    const found = await db
      .selectFrom('calendar')
      .select('id')
      .where('source', '=', source)
      .where('source_key', '=', key)
      .executeTakeFirst()
    if (found) return found.id
    note(`calendar made for ${owner.username}: ${settings.name}`)
    const made = await db
      .insertInto('calendar')
      .values({
        kind: 'personal',
        source,
        source_key: key,
        name: settings.name,
        owner_account_id: owner.id,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return made.id
  }
  const unknown = (await openAudienceCheck(db))(settings.to.rules)
  if (unknown) throw new StartError(`The audience ${unknown}.`)
  const audienceId = await audienceFor(db, settings.to.rules)
  const found = await db
    .selectFrom('calendar')
    .select(['id', 'audience_id'])
    .where('source', '=', source)
    .where('source_key', '=', settings.name)
    .executeTakeFirst()
  if (found) {
    if (found.audience_id !== audienceId) {
      await db
        .updateTable('calendar')
        .set({ audience_id: audienceId })
        .where('id', '=', found.id)
        .execute()
      await raiseTopic(db, 'schedule')
      note('the calendar has another audience now')
    }
    return found.id
  }
  note(`calendar made: ${settings.name}`)
  const made = await db
    .insertInto('calendar')
    .values({
      kind: 'public',
      source,
      source_key: settings.name,
      name: settings.name,
      audience_id: audienceId,
      shown_to_all: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/** Brings the changed occurrences to what the file says. @returns the events where something differed */
async function writeOverrides(
  db: Db,
  calendarId: string,
  events: readonly CalendarEvent[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('event')
    .select(['id', 'uid'])
    .where('calendar_id', '=', calendarId)
    .execute()
  const ids = new Map(rows.map((row) => [row.uid, row.id]))
  const stored = await db
    .selectFrom('event_override')
    .selectAll()
    .where('event_id', '=', sql<string>`any(${rows.map((row) => row.id)}::bigint[])`)
    .orderBy('original_local')
    .execute()
  const before = new Map<string, Override[]>()
  for (const row of stored) {
    const list = before.get(row.event_id) ?? []
    list.push({
      originalLocal: row.original_local,
      startsLocal: row.starts_local,
      minutes: row.minutes,
      title: row.title,
      location: row.location,
    })
    before.set(row.event_id, list)
  }
  const differing = events.flatMap((event) => {
    const id = ids.get(event.uid)
    return id && JSON.stringify(before.get(id) ?? []) !== JSON.stringify(event.overrides)
      ? [{ id, event }]
      : []
  })
  const differingIds = differing.map(({ id }) => id)
  await db
    .deleteFrom('event_override')
    .where('event_id', '=', sql<string>`any(${differingIds}::bigint[])`)
    .execute()
  const values = differing.flatMap(({ id, event }) =>
    event.overrides.map((override) => ({
      event_id: id,
      original_local: override.originalLocal,
      starts_local: override.startsLocal,
      minutes: override.minutes,
      title: override.title,
      location: override.location,
    })),
  )
  for (let at = 0; at < values.length; at += 1000)
    await db
      .insertInto('event_override')
      .values(values.slice(at, at + 1000))
      .execute()
  return differingIds
}

/** Events an earlier file brought and this one has not. One that is only malformed now is not gone. */
async function findMissing(
  db: Db,
  calendarId: string,
  read: readonly ReadEvent[],
  events: readonly CalendarEvent[],
): Promise<string[]> {
  if (read.some((entry) => entry.fault)) return []
  const uids = events.map((event) => event.uid)
  const rows = await db
    .selectFrom('event')
    .select('id')
    .where('calendar_id', '=', calendarId)
    .where(sql<boolean>`uid <> all(${uids}::text[])`)
    .execute()
  return rows.map((row) => row.id)
}

// ---- reading ----

type Zones = { own: string; map: Map<string, string> }

/**
 * The events of an iCalendar text; entries are counted from 1.
 * @throws StartError when it is none
 */
export function readCalendar(
  text: string,
  { from, timeZone }: Pick<CalendarSettings, 'from' | 'timeZone'>,
): ReadEvent[] {
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
  const read: ReadEvent[] = []
  let row = 0
  for (const calendar of calendars) {
    const own = String(calendar.getFirstPropertyValue('x-wr-timezone') ?? '')
    const zones: Zones = {
      own: isTimeZone(own) ? own : (windowsZones[own] ?? timeZone),
      map: readZones(calendar),
    }
    const series = new Map<
      string,
      { row: number; master: ICAL.Component | undefined; changes: ICAL.Component[] }
    >()
    for (const part of calendar.getAllSubcomponents('vevent')) {
      row++
      const uid = uidOf(part)
      const entry = series.get(uid) ?? { row, master: undefined, changes: [] }
      if (part.hasProperty('recurrence-id')) entry.changes.push(part)
      else entry.master = part
      series.set(uid, entry)
    }
    for (const [uid, entry] of series) {
      try {
        read.push(
          ...readSeries(uid, entry.master, entry.changes, zones).map((event) => ({
            row: entry.row,
            event,
            fault: undefined,
          })),
        )
      } catch (error) {
        const title = String(
          (entry.master ?? entry.changes[0])?.getFirstPropertyValue('summary') ?? uid,
        )
        const sentence =
          error instanceof RowFault || error instanceof RangeError
            ? error.message
            : `cannot be read: ${(error as Error).message}`
        read.push({ row: entry.row, event: undefined, fault: `(${short(title)}) ${sentence}` })
      }
    }
  }
  return read
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

function readSeries(
  uid: string,
  master: ICAL.Component | undefined,
  changes: readonly ICAL.Component[],
  zones: Zones,
): CalendarEvent[] {
  // Changed occurrences whose series was not sent stand alone.
  if (!master)
    return changes
      .filter((part) => !isCancelled(part))
      .map((part) => ({
        ...readSingle(part, zones),
        uid: `${uid}/${part.getFirstPropertyValue('recurrence-id')}`,
      }))
  if (isCancelled(master)) return []
  const event = { ...readSingle(master, zones), uid }
  const rules = master.getAllProperties('rrule')
  if (rules.length > 1 || master.hasProperty('exrule'))
    throw new RowFault('has several recurrence rules; one is supported')
  event.rrule = rules.length > 0 ? String(rules[0]?.getFirstValue()) : ''
  const excluded = new Set(
    master
      .getAllProperties('exdate')
      .flatMap((property) =>
        valuesOf(property).map((value) => localIn(event, property, value, zones)),
      ),
  )
  const overrides = new Map<string, Override>()
  for (const part of changes) {
    const at = part.getFirstProperty('recurrence-id') as ICAL.Property
    if (at.getParameter('range'))
      throw new RowFault('changes an occurrence “and all following”, which is not supported')
    const originalLocal = localIn(event, at, valuesOf(at)[0] as ICAL.Time, zones)
    if (isCancelled(part)) {
      excluded.add(originalLocal)
      continue
    }
    const changed = readSingle(part, zones)
    overrides.set(originalLocal, {
      originalLocal,
      startsLocal:
        changed.timeZone === event.timeZone
          ? changed.startsLocal
          : moveZone(changed.startsLocal, changed.timeZone, event.timeZone),
      minutes: changed.minutes,
      title: changed.title === event.title ? null : changed.title,
      location: changed.location === event.location ? null : changed.location,
    })
  }
  event.excludedLocal = [...excluded].sort()
  event.overrides = [...overrides.values()].sort((a, b) =>
    a.originalLocal < b.originalLocal ? -1 : 1,
  )
  // Tried here, so that a rule nobody can follow is the fault of this entry and not of the whole file.
  if (event.rrule) {
    const { spans } = expand({ ...event, excludedLocal: [], overrides: [] }, Temporal.Now.instant())
    if (spans.length === 0 && !/COUNT=0/.test(event.rrule))
      throw new RowFault('has a recurrence rule that names no day')
  }
  // Dates beside the rule become events of their own: a series has one rule and nothing else.
  const extra = master
    .getAllProperties('rdate')
    .flatMap((property) =>
      valuesOf(property).map((value) => localIn(event, property, value, zones)),
    )
  return [
    event,
    ...[...new Set(extra)]
      .filter((startsLocal) => startsLocal !== event.startsLocal)
      .map((startsLocal) => ({
        ...event,
        uid: `${uid}/${startsLocal}`,
        startsLocal,
        rrule: '',
        excludedLocal: [],
        overrides: [],
      })),
  ]
}

const isCancelled = (part: ICAL.Component) =>
  String(part.getFirstPropertyValue('status') ?? '').toUpperCase() === 'CANCELLED'

function readSingle(part: ICAL.Component, zones: Zones): Omit<CalendarEvent, 'uid'> {
  const start = part.getFirstProperty('dtstart')
  const value = start && (valuesOf(start)[0] as ICAL.Time | undefined)
  if (!start || !value) throw new RowFault('has no start (DTSTART)')
  const allDay = value.isDate
  const recurs = part.hasProperty('rrule') || part.hasProperty('recurrence-id')
  const stated = zoneOf(start, value, zones)
  // A single moment given in UTC is shown on the calendar's own clock; a rule must keep the clock it was made for.
  const timeZone = allDay || (stated === 'UTC' && !recurs) ? zones.own : stated
  const startsLocal = allDay ? localText(value) : moveZone(localText(value), stated, timeZone)
  return {
    title: textOf(part, 'summary', 300) || '（无标题）',
    location: textOf(part, 'location', 300),
    person: personOf(part),
    description: textOf(part, 'description', 10_000),
    startsLocal,
    minutes: minutesOf(part, value, startsLocal, timeZone, zones),
    allDay,
    timeZone,
    rrule: '',
    excludedLocal: [],
    overrides: [],
  }
}

/** Longer than any event is; more is a slip in a date. */
const mostMinutes = 366 * 24 * 60

function minutesOf(
  part: ICAL.Component,
  start: ICAL.Time,
  startsLocal: string,
  timeZone: string,
  zones: Zones,
): number {
  const end = part.getFirstProperty('dtend')
  const endValue = end && (valuesOf(end)[0] as ICAL.Time | undefined)
  const duration = part.getFirstPropertyValue('duration') as ICAL.Duration | null
  const local = Temporal.PlainDateTime.from(startsLocal)
  let minutes = start.isDate ? 24 * 60 : 0
  if (end && endValue) {
    minutes = start.isDate
      ? local.until(Temporal.PlainDateTime.from(localText(endValue)), { largestUnit: 'minute' })
          .minutes
      : instantOf(localText(endValue), zoneOf(end, endValue, zones)).since(
          local.toZonedDateTime(timeZone).toInstant(),
          { largestUnit: 'minute' },
        ).minutes
    // Some programs end a day on itself.
    if (start.isDate && minutes === 0) minutes = 24 * 60
  } else if (duration) {
    const { isNegative, weeks, days, hours, minutes: rest, seconds } = duration
    if (isNegative) throw new RowFault('ends before it starts')
    const from = local.toZonedDateTime(start.isDate ? 'UTC' : timeZone)
    minutes = from.until(from.add({ weeks, days, hours, minutes: rest, seconds }), {
      largestUnit: 'minute',
    }).minutes
  }
  if (minutes < 0) throw new RowFault('ends before it starts')
  if (minutes > mostMinutes) throw new RowFault('lasts longer than a year')
  return minutes
}

const valuesOf = (property: ICAL.Property) =>
  (property.getValues() as unknown[])
    .map((value) => (value instanceof ICAL.Period ? value.start : value))
    .filter((value): value is ICAL.Time => value instanceof ICAL.Time)

/** A moment named beside an event (an exception, a changed occurrence) on the event's own clock. */
function localIn(
  event: { startsLocal: string; allDay: boolean; timeZone: string },
  property: ICAL.Property,
  value: ICAL.Time,
  zones: Zones,
): string {
  const local = localText(value)
  // A day alone means the occurrence of that day.
  if (value.isDate)
    return event.allDay ? local : `${local.slice(0, 10)}${event.startsLocal.slice(10)}`
  if (event.allDay) return `${local.slice(0, 10)}T00:00:00`
  return moveZone(local, zoneOf(property, value, zones), event.timeZone)
}

const two = (number: number) => String(number).padStart(2, '0')
function localText({ year, month, day, hour, minute, second, isDate }: ICAL.Time): string {
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  if (year < 1900 || year > 2200) throw new RowFault(`has the date ${date}, which cannot be right`)
  const text = isDate
    ? `${date}T00:00:00`
    : `${date}T${two(hour)}:${two(minute)}:${two(Math.min(second, 59))}`
  // Refuses the 31st of February with a RangeError.
  return Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toString({
    smallestUnit: 'second',
  })
}

const instantOf = (local: string, zone: string) =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant()
const moveZone = (local: string, from: string, to: string) =>
  from === to
    ? local
    : instantOf(local, from)
        .toZonedDateTimeISO(to)
        .toPlainDateTime()
        .toString({ smallestUnit: 'second' })

function zoneOf(property: ICAL.Property, value: ICAL.Time, zones: Zones): string {
  const tzid = property.getParameter('tzid')
  if (typeof tzid === 'string' && tzid) {
    const zone = zones.map.get(tzid) ?? nameOfZone(tzid)
    if (!zone) throw new RowFault(`is in the time zone ${short(tzid)}, which is not known here`)
    return zone
  }
  return value.zone?.tzid === 'UTC' ? 'UTC' : zones.own
}

/** The IANA zone a program means by a name of its own. */
function nameOfZone(tzid: string): string | undefined {
  const name = tzid.replaceAll('"', '').trim()
  if (windowsZones[name]) return windowsZones[name]
  // A plain offset would pass for a zone; only names are zones.
  if (isTimeZone(name) && /[a-z]/i.test(name)) return name
  // /freeassociation.sourceforge.net/Tzfile/Europe/Berlin
  for (const parts = name.split('/').filter(Boolean); parts.length > 1; parts.shift())
    if (isTimeZone(parts.join('/'))) return parts.join('/')
  return undefined
}

/** What the file itself says of its zones: their usual name, or an offset that never changes. */
function readZones(calendar: ICAL.Component): Map<string, string> {
  const zones = new Map<string, string>()
  for (const part of calendar.getAllSubcomponents('vtimezone')) {
    const tzid = String(part.getFirstPropertyValue('tzid') ?? '')
    const zone =
      nameOfZone(tzid) ??
      nameOfZone(String(part.getFirstPropertyValue('x-lic-location') ?? '')) ??
      fixedZone(part)
    if (tzid && zone) zones.set(tzid, zone)
  }
  return zones
}

function fixedZone(part: ICAL.Component): string | undefined {
  const offsets = new Set(
    [...part.getAllSubcomponents('standard'), ...part.getAllSubcomponents('daylight')].map((rule) =>
      (rule.getFirstPropertyValue('tzoffsetto') as ICAL.UtcOffset | null)?.toSeconds(),
    ),
  )
  const [offset] = offsets
  if (offsets.size !== 1 || offset === undefined || offset % 3600 !== 0) return undefined
  const hours = offset / 3600
  if (hours === 0) return 'UTC'
  // The sign of these names is turned round.
  const zone = `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
  return isTimeZone(zone) ? zone : undefined
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
