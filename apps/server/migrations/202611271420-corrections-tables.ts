import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What members want to be corrected of what is kept of them.
    create table correction (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      field text not null,
      value text not null,
      note text not null,
      status text not null default 'waiting' check (status in ('waiting', 'withdrawn', 'done', 'refused')),
      answer text not null default '',
      requested_at timestamptz not null default now(),
      decided_at timestamptz,
      decided_by_account_id bigint references account on delete set null
    );
    create index correction_account on correction (account_id, id desc);
    create index correction_waiting on correction (id) where status = 'waiting';
    create index correction_decided_by on correction (decided_by_account_id);
  `.execute(db)
}
