import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- The one model that the assistant stands on; no row: none was ever set.
    create table assistant_model (
      id boolean primary key default true check (id),
      address text not null,
      model text not null,
      sealed_key text,
      enabled boolean not null,
      sends text[] not null,
      daily_per_member integer not null,
      daily_tokens integer not null,
      seconds integer not null
    );

    -- Who agreed that own data is sent to it.
    create table assistant_consent (
      account_id bigint primary key references account on delete cascade,
      agreed_at timestamptz not null default now()
    );

    create table assistant_use (
      account_id bigint not null references account on delete cascade,
      day date not null,
      questions integer not null default 0,
      tokens integer not null default 0,
      primary key (account_id, day)
    );
    create index assistant_use_day on assistant_use (day);
  `.execute(db)
}
