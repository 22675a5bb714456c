import { createHash } from 'node:crypto'
import type { CalendarReason } from '@atrium/contract/work/calendar-exchange'
import ICAL from 'ical.js'
import { short } from '#platform/ingest/cells.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import { CalendarIssue } from './calendar-issue.ts'
import { moveZone, readZones } from './file-zones.ts'
import { parseCalendar } from './parse-calendar.ts'
import {
  type CalendarEvent,
  localIn,
  type Override,
  type Part,
  readSingle,
  timeOf,
  type Within,
} from './read-vevent.ts'
import { expand, occursAt } from './recurrence.ts'

/** An event or its fault; `row` is the line on which it begins. */
export type ReadEvent = {
  row: number
  event: CalendarEvent | undefined
  issue: string | undefined
  title?: string
  why?: { reason: CalendarReason; detail: string }
}
/** Something that was left out but is not an error. */
type Remark = { line: number; title: string; reason: 'older' | 'excluded' | 'frequent' }
type Note = (sentence: string, remark: Remark) => void

/**
 * The events of an iCalendar text.
 * @param note receives remarks about valid parts that were left out
 * @throws StartError if the text is not iCalendar
 */
export function readCalendar(
  text: string,
  { from, timeZone }: { from: string; timeZone: string },
  note: Note,
): ReadEvent[] {
  return [...readCalendarInSteps(text, { from, timeZone }, note)].flat()
}

/** Like `readCalendar`, but yields one series at a time, because expanding rules may take long. */
export function* readCalendarInSteps(
  text: string,
  { from, timeZone }: { from: string; timeZone: string },
  note: Note,
): Generator<ReadEvent[]> {
  const parsed = parseCalendar(text, from)
  const parts = readParts(parsed, timeZone)
  const series = new Map<string, { masters: Part[]; changes: Part[] }>()
  for (const part of parts) {
    const uid = uidOf(part.part)
    const entry = series.get(uid) ?? { masters: [], changes: [] }
    entry[part.part.hasProperty('recurrence-id') ? 'changes' : 'masters'].push(part)
    series.set(uid, entry)
  }
  yield parsed.broken.map(({ line, title, message }) => ({
    row: line,
    event: undefined,
    issue: `(${title}) cannot be read: ${message}`,
    title,
    why: { reason: 'unreadable' as const, detail: '' },
  }))
  for (const [uid, { masters, changes }] of series) {
    const read: ReadEvent[] = []
    const attempt: Attempt = ({ part, line }, work) => {
      try {
        return work()
      } catch (error) {
        const title = titleOf(part, uid)
        const known = error instanceof RowIssue || error instanceof RangeError
        const sentence = known
          ? (error as Error).message
          : `cannot be read: ${(error as Error).message}`
        const why =
          error instanceof CalendarIssue
            ? { reason: error.reason, detail: error.detail }
            : { reason: 'unreadable' as const, detail: '' }
        read.push({ row: line, event: undefined, issue: `(${title}) ${sentence}`, title, why })
        return undefined
      }
    }
    const master = newest(masters, note)
    const events = master
      ? attempt(master, () => readSeries({ uid, master, changes, attempt, note }))
      : readLone(uid, changes, attempt, note)
    const row = (master ?? changes[0])?.line ?? 1
    yield [...(events ?? []).map((event) => ({ row, event, issue: undefined })), ...read]
  }
}

function readParts({ calendars, lines }: ReturnType<typeof parseCalendar>, timeZone: string) {
  const starts = lines.values()
  return calendars.flatMap((calendar) => {
    const zones = readZones(calendar, timeZone)
    return calendar
      .getAllSubcomponents('vevent')
      .map((part): Part => ({ part, zones, line: starts.next().value ?? 1 }))
  })
}

const titleOf = (part: ICAL.Component, otherwise = '') =>
  short(String(part.getFirstPropertyValue('summary') ?? otherwise))

const uidOf = (part: ICAL.Component) => {
  const uid = String(part.getFirstPropertyValue('uid') ?? '').trim()
  if (uid && uid.length <= 400) return uid
  return createHash('sha256')
    .update(
      uid || `${part.getFirstPropertyValue('dtstart')} ${part.getFirstPropertyValue('summary')}`,
    )
    .digest('hex')
}

/** Runs work on one VEVENT; a failure is reported as its issue and yields undefined. */
type Attempt = <T>(part: Part, work: () => T) => T | undefined

/** Of several versions, the one with the highest SEQUENCE; the last one wins a tie. */
function newest(versions: readonly Part[], note: Note): Part | undefined {
  let found: Part | undefined
  for (const version of versions) {
    const [used, unused] =
      found && sequenceOf(found) > sequenceOf(version) ? [found, version] : [version, found]
    if (unused)
      note(`line ${unused.line}: not used, line ${used.line} is a newer version of it`, {
        line: unused.line,
        title: titleOf(unused.part),
        reason: 'older',
      })
    found = used
  }
  return found
}
const sequenceOf = ({ part }: Part) => Number(part.getFirstPropertyValue('sequence') ?? 0) || 0

/** Changed occurrences whose series is not in the file become single events. */
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
  if (rules.length > 1 || master.part.hasProperty('exrule')) throw new CalendarIssue('severalRules')
  event.rrule = rules.length > 0 ? String(rules[0]?.getFirstValue()) : ''
  if (event.allDay && /FREQ=(HOUR|MINUTE|SECOND)LY/i.test(event.rrule))
    throw new CalendarIssue('wholeDaysWithin')
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
  // Expanded here so that a rule that cannot be expanded fails this entry and not the whole file.
  const { spans, cut } = expand(plain, Temporal.Now.instant())
  if (cut)
    note(
      `line ${master.line}: “${short(event.title)}” repeats so often that only the last 1,000 times before today and the next 2,000 are kept; every night they move on`,
      { line: master.line, title: short(event.title), reason: 'frequent' },
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
      note(`line ${change.line}: not used, the series excludes the occurrence that it changes`, {
        line: change.line,
        title: short(event.title),
        reason: 'excluded',
      })
    else if (inRule(originalLocal)) overrides.push(override)
    else {
      // An RDATE, or an occurrence the series does not have: it becomes a single event.
      dates.delete(originalLocal)
      extra.push({ ...changed.event, uid: `${uid}/${originalLocal}` })
    }
  }
  event.excludedLocal = [...excluded].sort()
  event.overrides = overrides.sort((a, b) => (a.originalLocal < b.originalLocal ? -1 : 1))
  // RDATEs become separate events, because a series has exactly one rule.
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

/** The dates of a property in the event's local time. Invalid ones are reported and left out. */
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

/** The changes of a series, keyed by the original occurrence in the event's local time. */
function changesOf(changes: readonly Part[], within: Within, attempt: Attempt) {
  const byTime = new Map<string, Part[]>()
  for (const change of changes) {
    const local = attempt(change, () => {
      const at = change.part.getFirstProperty('recurrence-id') as ICAL.Property
      if (at.getParameter('range')) throw new CalendarIssue('allFollowing')
      return localIn(within, at, timeOf(at), change.zones)
    })
    if (local) byTime.set(local, [...(byTime.get(local) ?? []), change])
  }
  return byTime
}

const isCancelled = (part: ICAL.Component) =>
  String(part.getFirstPropertyValue('status') ?? '').toUpperCase() === 'CANCELLED'
