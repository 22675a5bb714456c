import { type Kysely, sql } from 'kysely'

/** Time zones that only their calendar file knows; and series that were cut at their beginning get their days around today. */
export async function up(db: Kysely<unknown>) {
  await sql`
    -- the VTIMEZONE that counts instead of time_zone
    alter table event add column zone_definition text;
    update event set expanded_until = now()
    where rrule <> '' and expanded_until is null
      and (select count(*) from event_occurrence o where o.event_id = event.id) >= 3000;
  `.execute(db)
}
