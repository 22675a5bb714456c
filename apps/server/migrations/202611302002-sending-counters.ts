import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Kept by each batch, so that nobody counts a hundred thousand recipients while they are written. Of messages from before
    -- "members" stays null, and their recipients are counted.
    alter table sending
      add column members integer,
      add column delivered_members integer not null default 0,
      add column failed_members integer not null default 0,
      add column dealt_with integer not null default 0;
  `.execute(db)
}
