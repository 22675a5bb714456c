import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- empty: there is no English, and the Chinese is shown
    alter table task
      add column title_en text not null default '',
      add column note_en text not null default '',
      add column source_en text not null default '';
  `.execute(db)
}
