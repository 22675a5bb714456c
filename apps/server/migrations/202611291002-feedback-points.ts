import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Where what it is about is, in degrees of WGS 84, both or neither.
    alter table feedback add column latitude double precision, add column longitude double precision;
  `.execute(db)
}
