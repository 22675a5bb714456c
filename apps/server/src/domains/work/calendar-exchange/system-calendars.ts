import type { Body } from '@atrium/contract/define'
import type { scheduleIntegration } from '@atrium/contract/work/calendar-exchange'
import { sql } from 'kysely'
import { deleteEvents } from '#domains/work/schedule/import-calendar.ts'
import { writeOccurrences } from '#domains/work/schedule/write-occurrences.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import { readSettings } from '#platform/settings/settings.ts'

/** The `source` of calendars that an institution's system maintains for a member. */
const systemSource = 'system'

type PutBody = Body<typeof scheduleIntegration.put>

/**
 * Replaces a member's calendar of a system: events that are not given are deleted.
 * @param system code of the relying party
 * @throws schedule.member_unknown
 */
export async function putSystemCalendar(
  db: Db,
  { system, code, username }: { system: string; code: string; username: string },
  { events, name, nameEn, color }: PutBody,
) {
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('username', '=', username.toLowerCase())
    .where('status', '=', 'active')
    .executeTakeFirst()
  const accountId = (account ?? fail('schedule.member_unknown')).id
  const columns = { name: name.trim(), name_en: nameEn.trim(), color }
  const calendar = await db
    .insertInto('calendar')
    .values({
      kind: 'personal',
      source: systemSource,
      source_key: `${system} ${code} ${accountId}`,
      owner_account_id: accountId,
      ...columns,
    })
    .onConflict((conflict) => conflict.columns(['source', 'source_key']).doUpdateSet(columns))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { timeZone } = await readSettings(db)
  const stored = await db
    .selectFrom('event')
    .select(['id', 'uid'])
    .where('calendar_id', '=', calendar.id)
    .execute()
  const written = await writeAll(db, calendar.id, events, timeZone)
  await writeOccurrences(
    db,
    written.map(({ id }) => id),
    new Date(),
  )
  const requestedKeys = new Set(events.map(({ key }) => key))
  const obsolete = stored.flatMap(({ id, uid }) => (uid && requestedKeys.has(uid) ? [] : [id]))
  await deleteEvents(db, obsolete)
  const added = written.filter((row) => row.added).length
  if (written.length + obsolete.length > 0) await announce(db, { kind: 'account', key: accountId })
  return { added, changed: written.length - added, removed: obsolete.length }
}

/** @returns the rows written; unchanged events are not written */
async function writeAll(
  db: Db,
  calendarId: string,
  events: PutBody['events'],
  timeZone: string,
): Promise<{ id: string; added: boolean }[]> {
  const rows = events.map(({ key, startsAt, weeks, titleEn, ...event }) => ({
    ...event,
    uid: key,
    title_en: titleEn,
    starts_local: Temporal.Instant.from(startsAt)
      .toZonedDateTimeISO(timeZone)
      .toPlainDateTime()
      .toString({ smallestUnit: 'minute' }),
    rrule: weeks > 1 ? `FREQ=WEEKLY;COUNT=${weeks}` : '',
  }))
  const { rows: written } = await sql<{ id: string; added: boolean }>`
    insert into event (calendar_id, uid, title, title_en, location, person, description, starts_local, minutes, time_zone, rrule)
    select distinct on (uid) ${calendarId}, uid, title, title_en, location, person, description, starts_local, minutes, ${timeZone}, rrule
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (uid text, title text, title_en text, location text,
      person text, description text, starts_local timestamp, minutes integer, rrule text)
    on conflict (calendar_id, uid) do update set title = excluded.title, title_en = excluded.title_en,
      location = excluded.location, person = excluded.person, description = excluded.description,
      starts_local = excluded.starts_local, minutes = excluded.minutes, time_zone = excluded.time_zone,
      rrule = excluded.rrule, updated_at = now()
    where (event.title, event.title_en, event.location, event.person, event.description, event.starts_local, event.minutes,
      event.time_zone, event.rrule) is distinct from (excluded.title, excluded.title_en, excluded.location, excluded.person,
      excluded.description, excluded.starts_local, excluded.minutes, excluded.time_zone, excluded.rrule)
    returning id, xmax = 0 as added`.execute(db)
  return written
}
