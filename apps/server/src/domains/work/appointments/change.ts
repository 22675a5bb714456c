import type { Body, Query } from '@atrium/contract/define'
import type { appointments } from '@atrium/contract/work/appointments'
import { sql } from 'kysely'
import { lockCalendarAs } from '#domains/work/calendars/queries.ts'
import { type EditRole, mayChange } from '#domains/work/schedule/queries.ts'
import { readEvent } from '#domains/work/schedule/read-event.ts'
import type { Series } from '#domains/work/schedule/recurrence.ts'
import { listSeries, writeOccurrences } from '#domains/work/schedule/write-occurrences.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { setFiles } from './files.ts'
import {
  listInvited,
  notifyParticipants,
  resolveParticipants,
  setParticipants,
} from './participants.ts'
import { setReminders } from './reminders.ts'
import { localAfter, minutesBetween, shiftRule, splitRule } from './rules.ts'
import { checkTimes, pointColumns } from './write.ts'

type Change = Body<typeof appointments.update> & { titleEn?: string; person?: string }
/** Who makes a change, and in which role. */
type Actor = { viewer: Member; role: EditRole }
type Scope = Change['scope']
type LockedEvent = {
  id: string
  version: number
  series: Series
  title: string
  location: string
  url: string
  /** original local time of the selected occurrence, YYYY-MM-DDTHH:MM; for the whole series, its first one */
  original: string
  /** current start of that occurrence */
  startsLocal: string
  startsAt: string
  isFirst: boolean
}

/** Changes one occurrence, one and all following, or all. @throws the errors declared in the contract */
export async function changeEvent(
  platform: Platform,
  viewer: Member,
  id: string,
  { scope = 'all', originalLocal, version, ...change }: Change,
  role: EditRole = 'member',
) {
  const invited =
    change.participants && (await resolveParticipants(platform, viewer, change.participants))
  const changed = await platform.db.transaction().execute(async (db) => {
    const actor = { viewer, role }
    const locked = await lockEvent(db, actor, id, scope, originalLocal)
    if (locked.version !== version) fail('event.changed_meanwhile')
    const result = await applyChange(db, actor, locked, scope, change)
    if (change.files) await setFiles(db, viewer, result.id, change.files)
    if (change.reminders) await setReminders(db, result.id, viewer.accountId, change.reminders)
    if (invited) await setParticipants(db, viewer, result.id, invited)
    await announce(db, { kind: 'account', key: viewer.accountId })
    return result
  })
  await platform.topics.flushed()
  return readEvent({ db: platform.db, platform }, viewer, changed.id, changed.startsAt, role)
}

type Content = Omit<Change, 'scope' | 'originalLocal' | 'version'>

async function applyChange(
  db: Db,
  actor: Actor,
  locked: LockedEvent,
  scope: Scope,
  change: Content,
): Promise<{ id: string; startsAt: string | undefined }> {
  const { id, series } = locked
  // A single event has no other occurrences.
  if (scope === 'this' && series.rrule) return changeOccurrence(db, actor.viewer, locked, change)
  const target = scope === 'following' && !locked.isFirst ? await splitSeries(db, locked) : id
  await changeSeries(db, actor, target, locked, change)
  return { id: target, startsAt: undefined }
}

/**
 * Locks an event that the member may change until the transaction ends.
 * @throws event.not_found; request.invalid if the occurrence does not exist
 */
async function lockEvent(
  db: Db,
  { viewer, role }: Actor,
  id: string,
  scope: Scope,
  originalLocal: string | undefined,
): Promise<LockedEvent> {
  const row = await db
    .selectFrom('event')
    .innerJoin('calendar', 'calendar.id', 'event.calendar_id')
    .select(['event.id', 'event.version', 'event.title', 'event.location', 'event.url'])
    .where('event.id', '=', id)
    .where('event.kind', '=', 'event')
    .where(mayChange(viewer, role))
    .forUpdate('event')
    .executeTakeFirst()
  const series = (await listSeries(db, [id])).get(id)
  if (!row || !series) return fail('event.not_found')
  const first = series.startsLocal.slice(0, 16)
  if (scope !== 'all' && !originalLocal)
    fail('request.invalid', { fields: { originalLocal: 'required' } })
  const original = originalLocal ?? first
  const { rows } = await sql<{ startsLocal: string; startsAt: string }>`
    select to_char(coalesce(changed.starts_local, o.original_local), 'YYYY-MM-DD"T"HH24:MI') as "startsLocal",
      o.starts_at as "startsAt"
    from event_occurrence o
    left join event_override changed on changed.event_id = o.event_id and changed.original_local = o.original_local
    where o.event_id = ${id} and o.original_local = ${original}::timestamp`.execute(db)
  const [occurrence] = rows
  if (!occurrence && originalLocal)
    fail('request.invalid', { fields: { originalLocal: 'unknown' } })
  return {
    ...row,
    series,
    original,
    startsLocal: occurrence?.startsLocal ?? first,
    startsAt: occurrence?.startsAt ?? '',
    isFirst: original === first,
  }
}

/** Changes the title, place and time of one occurrence. */
async function changeOccurrence(db: Db, viewer: Member, locked: LockedEvent, change: Content) {
  const { id, series, original } = locked
  const override = await db
    .selectFrom('event_override')
    .select(['minutes', 'title', 'location', 'latitude', 'longitude'])
    .where('event_id', '=', id)
    .where('original_local', '=', original)
    .executeTakeFirst()
  const startsLocal = change.startsLocal ?? locked.startsLocal
  const minutes = change.minutes ?? override?.minutes ?? series.minutes
  checkTimes({
    startsLocal,
    minutes,
    allDay: series.allDay,
    timeZone: series.timeZone,
    rrule: '',
  })
  const title = change.title?.trim() ?? override?.title ?? null
  const location =
    change.location?.trim() ??
    override?.location ??
    (change.point === undefined ? null : locked.location)
  const hasNewPlace = change.location !== undefined || change.point !== undefined
  // An overridden location is stored with its own coordinates, also if only the coordinates differ from the series.
  const point = hasNewPlace
    ? pointColumns(change.point)
    : { latitude: override?.latitude ?? null, longitude: override?.longitude ?? null }
  const hasOwnPlace =
    location !== null && (location !== locked.location || change.point !== undefined)
  const values = {
    starts_local: startsLocal,
    minutes,
    title: title === locked.title ? null : title,
    ...(hasOwnPlace ? { location, ...point } : { location: null, latitude: null, longitude: null }),
  }
  await db
    .insertInto('event_override')
    .values({ event_id: id, original_local: original, ...values })
    .onConflict((conflict) => conflict.columns(['event_id', 'original_local']).doUpdateSet(values))
    .execute()
  await rewrite(db, id)
  const startsAt = await startOf(db, id, original)
  await notifyParticipants(
    db,
    viewer,
    id,
    await listInvited(db, id, viewer.accountId),
    'changed',
    startsAt,
  )
  return { id, startsAt }
}

async function startOf(db: Db, id: string, original: string) {
  const row = await db
    .selectFrom('event_occurrence')
    .select('starts_at')
    .where('event_id', '=', id)
    .where('original_local', '=', original)
    .executeTakeFirst()
  return row?.starts_at
}

/** Changes a whole series; it moves by as much as the occurrence on which the change was made. */
async function changeSeries(
  db: Db,
  { viewer, role }: Actor,
  id: string,
  locked: LockedEvent,
  change: Content,
) {
  const series = (await listSeries(db, [id])).get(id) ?? fail('event.not_found')
  const moved = change.startsLocal ? minutesBetween(locked.startsLocal, change.startsLocal) : 0
  const allDay = change.allDay ?? series.allDay
  const startsLocal = localAfter(series.startsLocal, moved)
  const minutes = change.minutes ?? series.minutes
  const timeZone = change.timeZone ?? series.timeZone
  const days = Temporal.PlainDateTime.from(series.startsLocal)
    .toPlainDate()
    .until(Temporal.PlainDateTime.from(startsLocal).toPlainDate(), { largestUnit: 'days' }).days
  const rrule = change.rrule ?? shiftRule(series.rrule, days)
  checkTimes({ startsLocal, minutes, allDay, timeZone, rrule, url: change.url })
  const isRuleNew =
    (change.rrule !== undefined && change.rrule !== series.rrule) || allDay !== series.allDay
  if (isRuleNew) await dropExceptions(db, id)
  else if (moved !== 0) await moveExceptions(db, id, moved)
  const calendarId =
    change.calendarId && (await lockCalendarAs(db, viewer, role, change.calendarId))
  await db
    .updateTable('event')
    .set({
      starts_local: startsLocal,
      minutes,
      all_day: allDay,
      time_zone: timeZone,
      rrule,
      // A zone definition from a file is discarded when another zone is chosen.
      ...(change.timeZone && change.timeZone !== series.timeZone && { zone_definition: null }),
      ...(change.title !== undefined && { title: change.title.trim(), title_en: '' }),
      ...(change.titleEn !== undefined && { title_en: change.titleEn.trim() }),
      ...(change.person !== undefined && { person: change.person }),
      ...(change.location !== undefined && { location: change.location.trim() }),
      ...((change.location !== undefined || change.point !== undefined) &&
        pointColumns(change.point)),
      ...(change.description !== undefined && { description: change.description.trim() }),
      ...(change.url !== undefined && { url: change.url }),
      ...(change.busy !== undefined && { busy: change.busy }),
      ...(change.category !== undefined && { category: change.category.trim() }),
      ...(change.categoryColor !== undefined && { category_color: change.categoryColor }),
      ...(calendarId && { calendar_id: calendarId }),
    })
    .where('id', '=', id)
    .execute()
  const isMoved =
    moved !== 0 || minutes !== series.minutes || timeZone !== series.timeZone || isRuleNew
  // Answers were given for the previous time.
  if (isMoved)
    await db
      .updateTable('event_participant')
      .set({ answer: 'none', comment: '', answered_at: null })
      .where('event_id', '=', id)
      .execute()
  await rewrite(db, id)
  if (isMoved || change.location !== undefined || change.title !== undefined)
    await notifyParticipants(db, viewer, id, await listInvited(db, id, viewer.accountId), 'changed')
}

async function rewrite(db: Db, id: string) {
  await db
    .updateTable('event')
    .set({ version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
  await writeOccurrences(db, [id], new Date())
}

async function dropExceptions(db: Db, id: string) {
  await db.deleteFrom('event_override').where('event_id', '=', id).execute()
  await db.updateTable('event').set({ excluded_local: [] }).where('id', '=', id).execute()
}

async function moveExceptions(db: Db, id: string, minutes: number) {
  // Deleted in a statement of its own: an occurrence may move to the time of one that was changed, too.
  const { rows } = await sql<{ overrides: string }>`
    with deleted as (delete from event_override where event_id = ${id} returning *)
    select coalesce(jsonb_agg(deleted), '[]')::text as overrides from deleted`.execute(db)
  await sql`
    insert into event_override (event_id, original_local, starts_local, minutes, title, location, latitude,
      longitude)
    select event_id, original_local + make_interval(mins => ${minutes}), starts_local + make_interval(mins => ${minutes}),
      minutes, title, location, latitude, longitude
    from jsonb_populate_recordset(null::event_override, ${rows[0]?.overrides ?? '[]'}::jsonb)`.execute(
    db,
  )
  await sql`
    update event set excluded_local = array(select one + make_interval(mins => ${minutes}) from unnest(excluded_local) as one)
    where id = ${id}`.execute(db)
}

/**
 * Splits a series before an occurrence: the rest becomes a series of its own, with its people and exceptions. @returns
 * its id
 */
async function splitSeries(db: Db, { id, series, original }: LockedEvent): Promise<string> {
  const { before, after } = splitRule(series, original)
  const { rows } = await sql<{ id: string }>`
    insert into event (calendar_id, account_id, uid, kind, title, title_en, location, latitude, longitude, person,
      description, url, busy, category, category_color, starts_local, minutes, all_day, time_zone, zone_definition, rrule, excluded_local, version)
    select calendar_id, account_id, left(coalesce(uid, id::text), 40) || '-' || gen_random_uuid(), kind, title, title_en, location,
      latitude, longitude, person, description, url, busy, category, category_color, ${original}::timestamp, minutes, all_day, time_zone, zone_definition, ${after},
      array(select one from unnest(excluded_local) as one where one >= ${original}::timestamp), version
    from event where id = ${id} returning id`.execute(db)
  const next = rows[0]?.id ?? fail('event.not_found')
  await sql`
    update event set rrule = ${before},
      excluded_local = array(select one from unnest(excluded_local) as one where one < ${original}::timestamp)
    where id = ${id}`.execute(db)
  await sql`update event_override set event_id = ${next} where event_id = ${id} and original_local >= ${original}::timestamp`.execute(
    db,
  )
  await sql`
    insert into event_participant (event_id, account_id, email, name, answer, comment, answered_at)
    select ${next}::bigint, account_id, email, name, answer, comment, answered_at from event_participant where event_id = ${id}`.execute(
    db,
  )
  await sql`
    insert into event_reminder (event_id, account_id, minutes)
    select ${next}::bigint, account_id, minutes from event_reminder where event_id = ${id}`.execute(
    db,
  )
  await sql`
    insert into event_file (event_id, file_id, name, position)
    select ${next}::bigint, file_id, name, position from event_file where event_id = ${id}`.execute(
    db,
  )
  await rewrite(db, id)
  await writeOccurrences(db, [next], new Date())
  return next
}

/** Deletes one occurrence, one and all following, or all. @throws event.not_found, request.invalid */
export async function removeEvent(
  platform: Platform,
  viewer: Member,
  id: string,
  { scope = 'all', originalLocal }: Query<typeof appointments.remove>,
  role: EditRole = 'member',
) {
  await platform.db.transaction().execute(async (db) => {
    const locked = await lockEvent(db, { viewer, role }, id, scope, originalLocal)
    const { series, original, startsAt } = locked
    const people = await listInvited(db, id, viewer.accountId)
    await notifyParticipants(
      db,
      viewer,
      id,
      people,
      'cancelled',
      scope === 'all' ? undefined : startsAt,
    )
    if (scope === 'all' || !series.rrule || (scope === 'following' && locked.isFirst)) {
      await db.deleteFrom('event').where('id', '=', id).execute()
    } else if (scope === 'this') {
      await sql`update event set excluded_local = excluded_local || ${original}::timestamp where id = ${id}`.execute(
        db,
      )
      await db
        .deleteFrom('event_override')
        .where('event_id', '=', id)
        .where('original_local', '=', original)
        .execute()
      await rewrite(db, id)
      await removeEmpty(db, id)
    } else {
      await db
        .updateTable('event')
        .set({ rrule: splitRule(series, original).before })
        .where('id', '=', id)
        .execute()
      await sql`delete from event_override where event_id = ${id} and original_local >= ${original}::timestamp`.execute(
        db,
      )
      await rewrite(db, id)
      await removeEmpty(db, id)
    }
    await announce(db, { kind: 'account', key: viewer.accountId })
  })
}

/** Deletes a series whose occurrences were all deleted. */
const removeEmpty = (db: Db, id: string) =>
  sql`delete from event where id = ${id} and not exists (select from event_occurrence where event_id = ${id})`.execute(
    db,
  )
