import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- The one machine that translates; no row: none was ever set.
    create table translation_service (
      id boolean primary key default true check (id),
      address text not null,
      sealed_key text,
      enabled boolean not null,
      kinds text[] not null,
      chinese text not null,
      max_characters integer not null,
      daily_per_member integer not null,
      daily_characters integer not null,
      seconds integer not null
    );

    -- What it made of a text, found by the hash of that text, the language and the machine.
    create table translation (
      hash bytea primary key,
      kind text not null,
      parts text[] not null,
      made_at timestamptz not null default now(),
      used_on date not null default current_date
    );
    create index translation_used_on on translation (used_on);

    create table translation_use (
      account_id bigint not null references account on delete cascade,
      day date not null,
      characters integer not null,
      primary key (account_id, day)
    );
    create index translation_use_day on translation_use (day);
  `.execute(db)
}
