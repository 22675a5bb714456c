import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Names a letter of its writer, so that sending it again sends no second one.
    alter table letter add column key text;
    create unique index letter_key on letter (account_id, key) where key is not null;
  `.execute(db)
}
