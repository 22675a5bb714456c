import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- false: only whoever it waits for may do it, such as coursework; no delegate gets it.
    alter table task add column delegable boolean not null default true;
  `.execute(db)
}
