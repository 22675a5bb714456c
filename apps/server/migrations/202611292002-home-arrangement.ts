import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- How a member has arranged home; no row: as the institution proposes.
    create table home_arrangement (
      account_id bigint primary key references account on delete cascade,
      blocks text[] not null,
      hidden text[] not null,
      updated_at timestamptz not null default now()
    );
  `.execute(db)
}
