import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Work that was handed in and sent back waits to be handed in again, with what its teacher says of it.
    alter table study_result
      add column sent_back_at timestamptz,
      add column sent_back_note text not null default '';
  `.execute(db)
}
