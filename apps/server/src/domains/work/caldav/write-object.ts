import { maxParticipants } from '@atrium/contract/work/appointments'
import { sql } from 'kysely'
import { listInvited, notifyParticipants } from '#domains/work/appointments/participants.ts'
import { readPeople } from '#domains/work/caldav-scheduling/read-people.ts'
import { resolvePeople } from '#domains/work/caldav-scheduling/resolve-people.ts'
import { setPeople } from '#domains/work/caldav-scheduling/set-people.ts'
import { countEvents, lockCalendar } from '#domains/work/calendars/queries.ts'
import { writeOccurrences } from '#domains/work/schedule/write-occurrences.ts'
import { limitConcurrency } from '#platform/concurrency.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import type { Collection } from './collections.ts'
import { DavError, notFound } from './dav-error.ts'
import { etagOf, isResourceName, listResources, uidOf } from './objects.ts'
import type { DavMember } from './passwords.ts'
import { type ClientEvent, readObject } from './read-object.ts'
import { cal, dav, element, href } from './xml.ts'

/** The same limit as in the portal. */
const maxEvents = 5000
/** Expanding a rule may take long, so a node processes one write at a time. */
const oneAtATime = limitConcurrency(1, 50, () => {
  throw new DavError(503, 'Too many changes at the same time.', { retryAfter: 10 })
})

/** Preconditions of a request (RFC 9110 §13.1). */
export type Conditions = { ifMatch: string | undefined; ifNoneMatch: string | undefined }
export type ObjectLocation = {
  collection: Collection
  name: string
  path: (name: string) => string
}

/**
 * Writes an event. The text from the client is stored unchanged beside the fields the portal shows.
 * @throws DavError 403, 412, 507
 */
export async function putObject(
  platform: Platform,
  member: DavMember,
  { collection, name, path }: ObjectLocation,
  text: string,
  conditions: Conditions,
): Promise<{ created: boolean; etag: string | undefined }> {
  const calendarId = requireWritable(collection)
  const timeZone = member.timeZone ?? (await currentSettings(platform)).timeZone
  const origin = platform.origin()
  const { host } = new URL(origin)
  const result = await oneAtATime(async () => {
    const input = readObject(text, timeZone)
    const people = readPeople(text, origin)
    if (people.attendees.length > maxParticipants) throw tooMany()
    const resolved = await resolvePeople(
      platform,
      member,
      people.attendees.map(({ named }) => named),
    )
    return platform.db.transaction().execute(async (db) => {
      await lockCalendar(db, member.accountId, calendarId)
      const [resource] = await listResources(db, member, collection, { names: [name] })
      checkConditions(conditions, resource?.etag)
      if (!resource && !isResourceName(name))
        throw new DavError(403, 'This name is reserved by the server. Choose another one.')
      const { uid } = input.event
      const locked = resource && (await lockEvent(db, resource.id))
      const [sameUid] = await listResources(db, member, collection, { uid })
      if ((locked && uidOf(locked, host) !== uid) || (sameUid && sameUid.id !== resource?.id))
        throw new DavError(
          403,
          'The calendar already has an event with this UID at another address.',
          {
            condition: element(
              cal,
              'no-uid-conflict',
              href(path((sameUid ?? resource)?.name ?? name)),
            ),
          },
        )
      if (!locked && (await countEvents(db, calendarId)) >= maxEvents)
        throw new DavError(507, 'The calendar has reached its maximum number of events.', {
          condition: element(dav, 'quota-not-exceeded'),
        })
      const id = locked
        ? await changeEvent(db, member, locked, input)
        : await insertEvent(db, member, calendarId, name, input)
      const outcome = await setPeople(db, member, id, {
        ...{ text, people, known: resolved, origin },
        before: locked ? await findBody(db, id) : null,
        // A client that overwrites any version has not seen who is invited.
        sawAll: conditions.ifMatch !== undefined && conditions.ifMatch.trim() !== '*',
      })
      if (outcome === 'other-organizer')
        throw new DavError(403, 'The organiser of an event cannot be changed.', {
          condition: element(cal, 'allowed-organizer-scheduling-object-change'),
        })
      const { rows } = await sql<{ writtenIn: string }>`
        insert into caldav_object (event_id, body, written_in) values (${id}, ${outcome.text}, pg_current_xact_id())
        on conflict (event_id) do update set body = excluded.body, written_in = excluded.written_in
        returning written_in::text as "writtenIn"`.execute(db)
      await announce(db, { kind: 'account', key: member.accountId })
      const etag = outcome.invites ? undefined : etagOf(id, rows[0]?.writtenIn ?? null)
      return { created: !locked, etag }
    })
  })
  await platform.topics.flushed()
  return result
}

const tooMany = () =>
  new DavError(403, `An event can have at most ${maxParticipants} participants.`, {
    condition: element(cal, 'max-attendees-per-instance'),
  })

const findBody = async (db: Db, id: string) =>
  (
    await db
      .selectFrom('caldav_object')
      .select('body')
      .where('event_id', '=', id)
      .executeTakeFirst()
  )?.body ?? null

/** @throws DavError 404, 412, 403 */
export async function deleteObject(
  platform: Platform,
  member: DavMember,
  { collection, name }: ObjectLocation,
  conditions: Conditions,
) {
  const calendarId = requireWritable(collection)
  await platform.db.transaction().execute(async (db) => {
    await lockCalendar(db, member.accountId, calendarId)
    const [resource] = await listResources(db, member, collection, { names: [name] })
    if (!resource) throw notFound()
    checkConditions(conditions, resource.etag)
    await lockEvent(db, resource.id)
    const people = await listInvited(db, resource.id, member.accountId)
    await notifyParticipants(db, member, resource.id, people, 'cancelled')
    await db.deleteFrom('event').where('id', '=', resource.id).execute()
    await announce(db, { kind: 'account', key: member.accountId })
  })
  await platform.topics.flushed()
}

function requireWritable({ id, editable }: Collection): string {
  if (id !== null && editable) return id
  throw new DavError(403, 'This calendar is read-only.', {
    condition: element(dav, 'need-privileges'),
  })
}

export function checkConditions({ ifMatch, ifNoneMatch }: Conditions, etag: string | undefined) {
  const names = (header: string) => header.split(',').map((one) => one.trim().replace(/^W\//, ''))
  const matches = (header: string) =>
    etag !== undefined && names(header).some((one) => one === '*' || one === etag)
  if ((ifMatch && !matches(ifMatch)) || (ifNoneMatch && matches(ifNoneMatch)))
    throw new DavError(
      412,
      'The event has been changed in the meantime. Read it again, then repeat the change.',
    )
}

type LockedEvent = NonNullable<Awaited<ReturnType<typeof findForUpdate>>>
const findForUpdate = (db: Db, id: string) =>
  db
    .selectFrom('event')
    .select(['id', 'uid', 'title', 'title_en', 'location', 'starts_local', 'minutes'])
    .select(['all_day', 'time_zone', 'rrule', 'kind'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

async function lockEvent(db: Db, id: string): Promise<LockedEvent> {
  const locked = await findForUpdate(db, id)
  if (!locked) throw notFound()
  if (locked.kind !== 'event') throw new DavError(403, 'Lessons are read-only.')
  return locked
}

const columnsOf = ({ event, busy, url, category }: ClientEvent) => ({
  location: event.location,
  description: event.description,
  starts_local: event.startsLocal,
  minutes: event.minutes,
  all_day: event.allDay,
  time_zone: event.timeZone,
  zone_definition: event.zoneDefinition,
  rrule: event.rrule,
  excluded_local: event.excludedLocal,
  busy,
  url,
  category,
})

async function insertEvent(
  db: Db,
  { accountId }: DavMember,
  calendarId: string,
  name: string,
  input: ClientEvent,
) {
  const { uid, title } = input.event
  const { id } = await db
    .insertInto('event')
    .values({
      calendar_id: calendarId,
      account_id: accountId,
      uid,
      resource_name: name,
      title,
      ...columnsOf(input),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeOverrides(db, id, input)
  await writeOccurrences(db, [id], new Date())
  return id
}

async function changeEvent(db: Db, member: DavMember, locked: LockedEvent, input: ClientEvent) {
  const { event } = input
  const { id } = locked
  const displayedTitle = (member.language === 'en' && locked.title_en) || locked.title
  await db
    .updateTable('event')
    .set({
      ...columnsOf(input),
      ...(event.title !== displayedTitle && { title: event.title, title_en: '' }),
      // The coordinates belong to the previous location.
      ...(event.location !== locked.location && { latitude: null, longitude: null }),
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()
  await writeOverrides(db, id, input)
  await writeOccurrences(db, [id], new Date())
  const isMoved =
    event.startsLocal !== locked.starts_local ||
    event.minutes !== locked.minutes ||
    event.allDay !== locked.all_day ||
    event.timeZone !== locked.time_zone ||
    event.rrule !== locked.rrule
  // Answers were given for the previous time.
  if (isMoved)
    await db
      .updateTable('event_participant')
      .set({ answer: 'none', comment: '', answered_at: null })
      .where('event_id', '=', id)
      .execute()
  if (isMoved || event.title !== displayedTitle || event.location !== locked.location)
    await notifyParticipants(db, member, id, await listInvited(db, id, member.accountId), 'changed')
  return id
}

/** Updates the changed occurrences; coordinates are kept if the location is unchanged. */
async function writeOverrides(db: Db, id: string, { event: { overrides } }: ClientEvent) {
  const originalTimes = overrides.map(({ originalLocal }) => originalLocal)
  await sql`
    delete from event_override where event_id = ${id} and original_local <> all(${originalTimes}::timestamp[])`.execute(
    db,
  )
  await sql`
    insert into event_override as before (event_id, original_local, starts_local, minutes, title, location)
    select ${id}::bigint, given."originalLocal", given."startsLocal", given.minutes, given.title, given.location
    from jsonb_to_recordset(${JSON.stringify(overrides)}::jsonb) as given ("originalLocal" timestamp,
      "startsLocal" timestamp, minutes integer, title text, location text)
    on conflict (event_id, original_local) do update set starts_local = excluded.starts_local,
      minutes = excluded.minutes, title = excluded.title, location = excluded.location,
      latitude = case when before.location is not distinct from excluded.location then before.latitude end,
      longitude = case when before.location is not distinct from excluded.location then before.longitude end`.execute(
    db,
  )
}
