import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- The area that goes on with the task when a step of it was handled; null: nobody here does.
    alter table task add column engine text;
  `.execute(db)
}
