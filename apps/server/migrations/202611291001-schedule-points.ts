import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Where an event is, in degrees of WGS 84, both or neither; of one occurrence only beside a location of its own.
    alter table event add column latitude double precision, add column longitude double precision;
    alter table event_override add column latitude double precision, add column longitude double precision;
  `.execute(db)
}
