import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- When it is open, in the notation of OpenStreetMap; empty where that is not known.
    alter table place add hours text not null default '';
  `.execute(db)
}
