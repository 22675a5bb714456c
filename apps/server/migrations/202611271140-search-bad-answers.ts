import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- How often the answer to a question was said to be of no use.
    alter table search_day add column bad_answers integer not null default 0;
  `.execute(db)
}
