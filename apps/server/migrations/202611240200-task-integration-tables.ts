import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- A system that puts tasks in and is told what members did about them.
    create table task_source (
      id bigint generated always as identity primary key,
      code text not null unique,
      name text not null,
      name_en text not null default '',
      relying_party_id bigint not null unique references relying_party on delete restrict,
      -- is told of each action; empty: the system fetches them
      callback_url text not null default '',
      -- lists its open tasks; empty: they are never compared
      list_url text not null default '',
      sealed_secret text,
      -- when it last put tasks in
      put_at timestamptz,
      compared_at timestamptz,
      compare_due_at timestamptz not null default now(),
      compare_error text not null default '',
      -- of the last comparison: { listed, created, changed, ended }
      compared jsonb,
      -- tasks that comparisons have mended so far
      mended bigint not null default 0,
      created_at timestamptz not null default now()
    );
  `.execute(db)
}
