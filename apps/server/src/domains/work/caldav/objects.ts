import { sql } from 'kysely'
import { readParts } from '#domains/work/caldav-scheduling/read-people.ts'
import {
  listVisiblePeople,
  type VisiblePeople,
  writePeople,
} from '#domains/work/caldav-scheduling/write-people.ts'
import {
  eventColumns,
  listOverrides,
  toWrittenEvent,
} from '#domains/work/calendar-exchange/queries.ts'
import {
  foldLines,
  type WrittenEvent,
  writeObject,
} from '#domains/work/calendar-exchange/write-calendar.ts'
import type { Db } from '#platform/database/db.ts'
import { type Collection, isInCollection } from './collections.ts'
import { DavError } from './dav-error.ts'
import type { DavMember } from './passwords.ts'
import { restoreClientProperties } from './restore-client-properties.ts'
import { dav, element } from './xml.ts'

/** The CalDAV resource of an event. */
export type Resource = { id: string; name: string; etag: string }
/** A changed resource; `etag` is null if it was deleted. */
export type Change = { id: string; name: string; etag: string | null }
/** Filters for the resources of a collection; all of them by default. */
export type ResourceFilter = {
  names?: readonly string[]
  uid?: string
  /** instants, ISO 8601 */
  span?: { from: string | null; to: string | null }
  /** one page, by descending id */
  page?: Page
}
/** The first `limit` events whose id is below the given one. */
export type Page = { below: string | null; limit: number }

/** The server's origin, and whether it can send mail to outside participants. */
export type Site = { origin: string; sendsMail: boolean }

/** Maximum resources per answer. */
export const maxListed = 10_000
/** Resource name of an event that was not created by a client. */
const ownName = /^event-(\d{1,18})\.ics$/
const nameOf = (id: string, resourceName: string | null) => resourceName ?? `event-${id}.ics`
/** Names that clients may choose; generated ones are reserved. */
export const isResourceName = (name: string) =>
  name.length <= 255 && !ownName.test(name) && !/[/\0]/.test(name)
export const etagOf = (id: string, changedIn: string | null) => `"${id}-${changedIn ?? '0'}"`
export const uidOf = ({ id, uid }: { id: string; uid: string | null }, host: string) =>
  uid ?? `event-${id}@${host}`

export const tooMany = () =>
  new DavError(507, 'Too many events were requested at once.', {
    condition: element(dav, 'number-of-matches-within-limits'),
  })

/** @throws DavError 507 if there are more than an answer may hold, and no page was asked for */
export async function listResources(
  db: Db,
  member: DavMember,
  collection: Collection,
  wanted: ResourceFilter = {},
): Promise<Resource[]> {
  const rows = await selectEvents(db, member, collection, wanted)
    .select(['event.id', 'event.resource_name', 'revision.changed_in'])
    .execute()
  // A client takes resources missing from a complete list for deleted.
  if (!wanted.page && rows.length > maxListed) throw tooMany()
  return rows.map(({ id, resource_name, changed_in }) => ({
    id,
    name: nameOf(id, resource_name),
    etag: etagOf(id, changed_in),
  }))
}

function selectEvents(db: Db, member: DavMember, collection: Collection, wanted: ResourceFilter) {
  const { names, uid, span, page = { below: null, limit: maxListed + 1 } } = wanted
  let query = db
    .selectFrom('event')
    .leftJoin('event_revision as revision', (join) =>
      join
        .onRef('revision.calendar_id', '=', 'event.calendar_id')
        .onRef('revision.event_id', '=', 'event.id'),
    )
    .where(isInCollection(db, member, collection))
    .orderBy('event.id', 'desc')
    .limit(page.limit)
  if (page.below !== null) query = query.where('event.id', '<', page.below)
  if (names) {
    const ids = names.flatMap((name) => ownName.exec(name)?.[1] ?? [])
    query = query.where(
      sql<boolean>`(event.resource_name = any(${names as string[]}::text[])
        or (event.resource_name is null and event.id = any(${ids}::bigint[])))`,
    )
  }
  if (uid !== undefined) query = query.where('event.uid', '=', uid)
  if (span)
    query = query.where(
      sql<boolean>`event.id in (select o.event_id from event_occurrence o
        where o.calendar_id = event.calendar_id
          and o.ends_at >= coalesce(${span.from}::timestamptz, '-infinity')
          and o.starts_at < coalesce(${span.to}::timestamptz, 'infinity'))`,
    )
  return query
}

/** A page of the changes to a collection since a position, by descending event id. */
export async function listChanges(
  db: Db,
  calendarId: string,
  since: string,
  { below, limit }: Page,
): Promise<Change[]> {
  const { rows } = await sql<{ id: string; name: string | null; changed: string; there: boolean }>`
    select revision.event_id as id, revision.changed_in::text as changed, event.id is not null as there,
      coalesce(event.resource_name, revision.resource_name) as name
    from event_revision revision
    left join event on event.id = revision.event_id and event.calendar_id = revision.calendar_id
    where revision.calendar_id = ${calendarId} and revision.changed_in >= ${since}::text::xid8
      and (${below}::bigint is null or revision.event_id < ${below})
    order by revision.event_id desc limit ${limit}`.execute(db)
  return rows.map(({ id, name, changed, there }) => ({
    id,
    name: nameOf(id, name),
    etag: there ? etagOf(id, changed) : null,
  }))
}

/** Resources with their contents. */
export async function readResources(
  db: Db,
  member: DavMember,
  collection: Collection,
  wanted: ResourceFilter,
  site: Site,
): Promise<(Resource & { body: string })[]> {
  const rows = await selectEvents(db, member, collection, wanted)
    .leftJoin('caldav_object as object', 'object.event_id', 'event.id')
    .select(eventColumns)
    .select([
      'event.id',
      'event.resource_name',
      'event.uid',
      'event.description',
      'revision.changed_in',
      'object.body',
      sql<boolean>`coalesce(object.written_in = revision.changed_in, false)`.as('verbatim'),
    ])
    .execute()
  // A client's own data, such as alarms, belongs to the calendar's writers and is not shown to invitees.
  const onlyOwn = collection.id === null
  const bodyOf = ({ body }: (typeof rows)[number]) => (onlyOwn ? null : body)
  const isKept = (row: (typeof rows)[number]) => row.verbatim && bodyOf(row) !== null
  const drawn = rows.filter((row) => !isKept(row)).map(({ id }) => id)
  const overrides = await listOverrides(db, drawn)
  const shown =
    onlyOwn || collection.editable
      ? await listVisiblePeople(
          db,
          member,
          rows.map(({ id }) => id),
          { onlyOwn, ...site },
        )
      : new Map<string, VisiblePeople>()
  const now = Temporal.Now.instant()
  return rows.map((row) => {
    const { id } = row
    const resource = { id, name: nameOf(id, row.resource_name), etag: etagOf(id, row.changed_in) }
    const people = shown.get(id)
    const body = bodyOf(row)
    if (row.verbatim && body !== null)
      return { ...resource, body: people ? withPeople(body, people) : body }
    const event: WrittenEvent = {
      uid: uidOf(row, new URL(site.origin).host),
      ...toWrittenEvent(row, member.language, overrides.get(id)),
      // In a writable calendar, an organiser would turn the event into an invitation.
      ...(collection.editable && { person: '' }),
      calendarName: '',
    }
    const written = writeObject(event, now, (parts) => {
      if (body !== null) restoreClientProperties(parts, body)
      if (people) writePeople(parts, people)
    })
    return { ...resource, body: written }
  })
}

function withPeople(body: string, people: VisiblePeople): string {
  const { calendar, parts } = readParts(body)
  writePeople(parts, people)
  return `${foldLines(calendar.toString())}\r\n`
}
