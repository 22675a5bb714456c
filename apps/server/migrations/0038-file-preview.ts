import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- An office file as PDF: asked for by a member, made by one node.
    create table file_preview (
      file_id bigint primary key references file on delete cascade,
      status text not null default 'waiting' check (status in ('waiting', 'working', 'ready', 'failed')),
      pdf_file_id bigint references file on delete set null,
      tries integer not null default 0,
      requested_at timestamptz not null default now(),
      started_at timestamptz
    );
    create index file_preview_waiting on file_preview (requested_at) where status in ('waiting', 'working');
  `.execute(db)
}
