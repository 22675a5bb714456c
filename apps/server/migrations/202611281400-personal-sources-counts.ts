import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- How often a system has answered and failed so far.
    alter table personal_source
      add column answers bigint not null default 0,
      add column errors bigint not null default 0;
  `.execute(db)
}
