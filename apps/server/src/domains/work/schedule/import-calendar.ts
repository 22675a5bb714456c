import { sql } from 'kysely'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { openAudienceCheck } from '#platform/audience-text.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { StartError } from '#platform/environment.ts'
import type { Counts, Import } from '#platform/ingest/import.ts'
import { upsertRows } from '#platform/ingest/write-rows.ts'
import { type ParsedEvent, readCalendar } from './read-calendar.ts'
import type { CalendarEvent, Override } from './read-vevent.ts'
import { writeOccurrences } from './write-occurrences.ts'

export type CalendarSettings = {
  /** the file name, used in messages */
  from: string
  name: string
  /** the audience of a public calendar, or the owner of a personal one */
  to: { rules: readonly Rule[] } | { owner: string }
  /** the institution's zone, for times without a zone and for all-day events */
  timeZone: string
  /** delete events that an earlier file contained and this one does not */
  prune?: boolean
  now: Date
}

/** Imports the events of an iCalendar file into the calendar of this name, matching them by UID. */
export async function importCalendar(
  run: Import,
  text: string,
  settings: CalendarSettings,
): Promise<Counts> {
  const { db } = run
  const entries = readCalendar(text, settings, run.note)
  run.read({ rows: entries.length, share: 1 })
  const events: CalendarEvent[] = []
  for (const { row, event, issue } of entries) {
    if (event) events.push(event)
    else run.issue(row, issue ?? 'cannot be read')
  }
  const calendarId = await findOrCreateCalendar(run, settings)
  const { added, changed, unchanged } = await writeEvents(run, calendarId, events, settings)
  const missing = await findMissing(db, calendarId, entries)
  if (missing.length > 0 && settings.prune) {
    await deleteEvents(db, missing)
    run.note(`deleted, because they are no longer in the file: ${missing.length}`)
  } else if (missing.length > 0)
    run.note(
      `kept, although they are no longer in the file: ${missing.length} (--prune deletes them)`,
    )
  if (added.length + changed.length > 0 || (settings.prune && missing.length > 0))
    await invalidate(db, 'schedule')
  return { added: added.length, changed: changed.length, unchanged }
}

/**
 * Updates the events of a calendar, matched by UID, to the state of a file.
 * @param settings `batchSize`: number of series expanded before other requests get their turn
 * @returns the ids of the rows written
 */
export async function writeEvents(
  { db, client }: Pick<Import, 'db' | 'client'>,
  calendarId: string,
  events: readonly CalendarEvent[],
  { now, batchSize = 500 }: { now: Date; batchSize?: number },
): Promise<{ added: string[]; changed: string[]; unchanged: number }> {
  const counts = await upsertRows(
    { db, client },
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
        'zone_definition',
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
      event.zoneDefinition,
      event.rrule,
      event.excludedLocal,
    ],
  )
  const added = new Set(counts.ids.flatMap((row) => (row.added ? [row.id] : [])))
  const written = new Set(counts.ids.map((row) => row.id))
  for (const id of await writeOverrides(db, calendarId, events)) written.add(id)
  const ids = [...written]
  for (let offset = 0; offset < ids.length; offset += batchSize)
    await writeOccurrences(db, ids.slice(offset, offset + batchSize), now)
  return {
    added: [...added],
    changed: ids.filter((id) => !added.has(id)),
    unchanged: events.length - written.size,
  }
}

export const deleteEvents = (db: Db, ids: readonly string[]) =>
  db
    .deleteFrom('event')
    .where('id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .execute()

async function findOrCreateCalendar(run: Import, settings: CalendarSettings): Promise<string> {
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
    const existing = await db
      .selectFrom('calendar')
      .select('id')
      .where('source', '=', source)
      .where('source_key', '=', key)
      .executeTakeFirst()
    if (existing) return existing.id
    note(`calendar created for ${owner.username}: ${settings.name}`)
    const created = await db
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
    return created.id
  }
  const unknown = (await openAudienceCheck(db))(settings.to.rules)
  if (unknown) throw new StartError(`The audience ${unknown}.`)
  const audienceId = await audienceFor(db, settings.to.rules)
  const existing = await db
    .selectFrom('calendar')
    .select(['id', 'audience_id'])
    .where('source', '=', source)
    .where('source_key', '=', settings.name)
    .executeTakeFirst()
  if (existing) {
    if (existing.audience_id !== audienceId) {
      await db
        .updateTable('calendar')
        .set({ audience_id: audienceId })
        .where('id', '=', existing.id)
        .execute()
      await invalidate(db, 'schedule')
      note('the audience of the calendar was changed')
    }
    return existing.id
  }
  note(`calendar created: ${settings.name}`)
  const created = await db
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
  return created.id
}

/** Updates the overrides to the state of the file. @returns the ids of events that differed */
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
  const storedByEvent = new Map<string, Override[]>()
  for (const row of stored) {
    const list = storedByEvent.get(row.event_id) ?? []
    list.push({
      originalLocal: row.original_local,
      startsLocal: row.starts_local,
      minutes: row.minutes,
      title: row.title,
      location: row.location,
    })
    storedByEvent.set(row.event_id, list)
  }
  const differing = events.flatMap((event) => {
    const id = ids.get(event.uid)
    return id && JSON.stringify(storedByEvent.get(id) ?? []) !== JSON.stringify(event.overrides)
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
  for (let offset = 0; offset < values.length; offset += 1000)
    await db
      .insertInto('event_override')
      .values(values.slice(offset, offset + 1000))
      .execute()
  return differingIds
}

/**
 * Events that an earlier file contained and this one does not. Empty if any event is malformed, since it may be one of
 * them.
 */
export async function findMissing(
  db: Db,
  calendarId: string,
  entries: readonly ParsedEvent[],
): Promise<string[]> {
  if (entries.some((entry) => entry.issue)) return []
  const uids = entries.flatMap(({ event }) => event?.uid ?? [])
  const rows = await db
    .selectFrom('event')
    .select('id')
    .where('calendar_id', '=', calendarId)
    .where(sql<boolean>`uid <> all(${uids}::text[])`)
    .execute()
  return rows.map((row) => row.id)
}
