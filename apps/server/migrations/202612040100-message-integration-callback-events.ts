import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table message_app
      -- Ids of the events in the last call, ascending: until it succeeds, a retry repeats them under the same id.
      add column callback_events bigint[] not null default '{}'`.execute(db)
}
