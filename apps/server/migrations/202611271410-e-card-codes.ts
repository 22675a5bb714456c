import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What the codes of ten minutes are made from, for one session; the handle is in each code.
    create table pay_code (
      handle text primary key,
      account_id bigint not null references account on delete cascade,
      session_id uuid not null references session on delete cascade,
      sealed_seed text not null,
      used_steps bigint[] not null default '{}',
      expires_at timestamptz not null
    );
    create index pay_code_account on pay_code (account_id, expires_at);
    create index pay_code_session on pay_code (session_id);
    create index pay_code_expires on pay_code (expires_at);

    -- Where a code was read, for the member.
    create table pay_code_use (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      used_at timestamptz not null default now(),
      purpose text not null check (purpose in ('pay', 'identity')),
      system text not null,
      place text not null
    );
    create index pay_code_use_account on pay_code_use (account_id, id desc);
    create index pay_code_use_at on pay_code_use (used_at);
  `.execute(db)
}
