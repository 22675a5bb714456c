import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Solutions of the captcha that were shown once and are worth nothing any more.
    create table captcha_used (
      key_hash text primary key,
      expires_at timestamptz not null
    );

    alter table sign_in
      -- a member switches to another account: this session ends when the new one opens
      add column replaces_session_id uuid references session on delete set null;
  `.execute(db)
}
