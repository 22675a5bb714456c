import { createHash } from 'node:crypto'
import type { CalendarReason } from '@atrium/contract/work/calendar-exchange'
import ICAL from 'ical.js'
import { shortenCell } from '#platform/ingest/cells.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import { CalendarIssue } from './calendar-issue.ts'
import { moveZone, readZones } from './file-zones.ts'
import { parseCalendar } from './parse-calendar.ts'
import {
  type CalendarEvent,
  type EventComponent,
  type EventContext,
  localIn,
  type Override,
  readSingle,
  timeOf,
} from './read-vevent.ts'
import { expand, occursAt } from './recurrence.ts'

/** An event or its fault; `row` is the line on which it begins. */
export type ParsedEvent = {
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
): ParsedEvent[] {
  return [...readCalendarInSteps(text, { from, timeZone }, note)].flat()
}

/** Like `readCalendar`, but yields one series at a time, because expanding rules may take long. */
export function* readCalendarInSteps(
  text: string,
  { from, timeZone }: { from: string; timeZone: string },
  note: Note,
): Generator<ParsedEvent[]> {
  const parsed = parseCalendar(text, from)
  const parts = readParts(parsed, timeZone)
  const series = new Map<string, { masters: EventComponent[]; changes: EventComponent[] }>()
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
    const failures: ParsedEvent[] = []
    const attempt: Attempt = ({ part, line }, work) => {
      try {
        return work()
      } catch (error) {
        const title = titleOf(part, uid)
        const isKnown = error instanceof RowIssue || error instanceof RangeError
        const sentence = isKnown
          ? (error as Error).message
          : `cannot be read: ${(error as Error).message}`
        const why =
          error instanceof CalendarIssue
            ? { reason: error.reason, detail: error.detail }
            : { reason: 'unreadable' as const, detail: '' }
        failures.push({ row: line, event: undefined, issue: `(${title}) ${sentence}`, title, why })
        return undefined
      }
    }
    const master = newestVersion(masters, note)
    const events = master
      ? attempt(master, () => readSeries({ uid, master, changes, attempt, note }))
      : readOrphans(uid, changes, attempt, note)
    const row = (master ?? changes[0])?.line ?? 1
    yield [...(events ?? []).map((event) => ({ row, event, issue: undefined })), ...failures]
  }
}

function readParts({ calendars, lines }: ReturnType<typeof parseCalendar>, timeZone: string) {
  const starts = lines.values()
  return calendars.flatMap((calendar) => {
    const zones = readZones(calendar, timeZone)
    return calendar
      .getAllSubcomponents('vevent')
      .map((part): EventComponent => ({ part, zones, line: starts.next().value ?? 1 }))
  })
}

const titleOf = (part: ICAL.Component, fallback = '') =>
  shortenCell(String(part.getFirstPropertyValue('summary') ?? fallback))

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
type Attempt = <T>(part: EventComponent, work: () => T) => T | undefined

/** Of several versions, the one with the highest SEQUENCE; the last one wins a tie. */
function newestVersion(
  versions: readonly EventComponent[],
  note: Note,
): EventComponent | undefined {
  let latest: EventComponent | undefined
  for (const version of versions) {
    const [used, unused] =
      latest && sequenceOf(latest) > sequenceOf(version) ? [latest, version] : [version, latest]
    if (unused)
      note(`line ${unused.line}: not used, because line ${used.line} has a newer version of it`, {
        line: unused.line,
        title: titleOf(unused.part),
        reason: 'older',
      })
    latest = used
  }
  return latest
}
const sequenceOf = ({ part }: EventComponent) =>
  Number(part.getFirstPropertyValue('sequence') ?? 0) || 0

/** Changed occurrences whose series is not in the file become single events. */
function readOrphans(
  uid: string,
  changes: readonly EventComponent[],
  attempt: Attempt,
  note: Note,
) {
  const byTime = Map.groupBy(changes, ({ part }) =>
    String(part.getFirstPropertyValue('recurrence-id')),
  )
  return [...byTime].flatMap(([time, versions]): CalendarEvent[] => {
    const change = newestVersion(versions, note)
    if (!change || isCancelled(change.part)) return []
    const single = attempt(change, () => readSingle(change))
    return single ? [{ ...single.event, uid: `${uid}/${time}` }] : []
  })
}

function readSeries(input: {
  uid: string
  master: EventComponent
  changes: readonly EventComponent[]
  attempt: Attempt
  note: Note
}): CalendarEvent[] {
  const { uid, master, attempt, note } = input
  if (isCancelled(master.part)) return []
  const { event: single, zone } = readSingle(master)
  const event: CalendarEvent = { ...single, uid }
  const rules = master.part.getAllProperties('rrule')
  if (rules.length > 1 || master.part.hasProperty('exrule')) throw new CalendarIssue('severalRules')
  event.rrule = rules.length > 0 ? String(rules[0]?.getFirstValue()) : ''
  if (event.allDay && /FREQ=(HOUR|MINUTE|SECOND)LY/i.test(event.rrule))
    throw new CalendarIssue('wholeDaysWithin')
  const context = { event, zone, zones: master.zones }
  const excluded = new Set(
    timesOf(master, 'exdate', context, attempt).map(({ startsLocal }) => startsLocal),
  )
  const dates = new Map(
    timesOf(master, 'rdate', context, attempt)
      .filter(({ startsLocal }) => startsLocal !== event.startsLocal)
      .map((date) => [date.startsLocal, date]),
  )
  const bareSeries = { ...event, excludedLocal: [], overrides: [] }
  // Expanded here so that a rule that cannot be expanded fails this entry and not the whole file.
  const { spans, cut } = expand(bareSeries, Temporal.Now.instant())
  if (cut)
    note(
      `line ${master.line}: “${shortenCell(event.title)}” repeats so often that only the last 1,000 occurrences before today and the next 2,000 are kept; they are moved forward every night`,
      { line: master.line, title: shortenCell(event.title), reason: 'frequent' },
    )
  const expandedTimes = new Set(spans.map(({ originalLocal }) => originalLocal))
  const inRule = (local: string) => expandedTimes.has(local) || (cut && occursAt(bareSeries, local))
  const extra: CalendarEvent[] = []
  const overrides: Override[] = []
  for (const [originalLocal, versions] of changesOf(input.changes, context, attempt)) {
    const change = newestVersion(versions, note)
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
      note(
        `line ${change.line}: not used, because the series excludes the occurrence that it changes`,
        {
          line: change.line,
          title: shortenCell(event.title),
          reason: 'excluded',
        },
      )
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
function timesOf(
  master: EventComponent,
  name: 'exdate' | 'rdate',
  context: EventContext,
  attempt: Attempt,
) {
  return master.part.getAllProperties(name).flatMap((property) =>
    (property.getValues() as unknown[]).flatMap((value) => {
      const time = value instanceof ICAL.Period ? value.start : value
      if (!(time instanceof ICAL.Time)) return []
      const read = attempt(master, () => ({
        startsLocal: localIn(context, property, time, context.zones),
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
function changesOf(changes: readonly EventComponent[], context: EventContext, attempt: Attempt) {
  const byTime = new Map<string, EventComponent[]>()
  for (const change of changes) {
    const local = attempt(change, () => {
      const recurrenceId = change.part.getFirstProperty('recurrence-id') as ICAL.Property
      if (recurrenceId.getParameter('range')) throw new CalendarIssue('allFollowing')
      return localIn(context, recurrenceId, timeOf(recurrenceId), change.zones)
    })
    if (local) byTime.set(local, [...(byTime.get(local) ?? []), change])
  }
  return byTime
}

const isCancelled = (part: ICAL.Component) =>
  String(part.getFirstPropertyValue('status') ?? '').toUpperCase() === 'CANCELLED'
