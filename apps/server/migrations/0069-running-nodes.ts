import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- The nodes that run now, for the doctor. A node that ended without a word is gone by its last sign of life.
    create table running_node (
      id uuid primary key,
      host text not null,
      version text not null,
      started_at timestamptz not null default now(),
      seen_at timestamptz not null default now(),
      sealed_settings text not null
    )`.execute(db)
}
