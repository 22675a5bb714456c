import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- A private address where a calendar program reads what a member sees, or one calendar of it.
    create table calendar_feed (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      calendar_id bigint references calendar on delete cascade,
      name text not null,
      language text not null check (language in ('zh', 'en')),
      token_hash text not null unique,
      created_at timestamptz not null default now(),
      renewed_at timestamptz,
      -- to the minute
      fetched_at timestamptz
    );
    create index calendar_feed_account on calendar_feed (account_id);
    create index calendar_feed_calendar on calendar_feed (calendar_id) where calendar_id is not null;

    -- A calendar that is read from another address. Its events are in a calendar of its owner.
    create table calendar_source (
      calendar_id bigint primary key references calendar on delete cascade,
      account_id bigint not null references account on delete cascade,
      -- an address often is the key to a calendar
      sealed_address text not null,
      host text not null,
      etag text not null default '',
      last_modified text not null default '',
      failures integer not null default 0,
      left_out integer not null default 0,
      next_at timestamptz not null default now(),
      claimed_until timestamptz,
      fetched_at timestamptz,
      succeeded_at timestamptz,
      problem text,
      -- what the other side said, such as its status
      problem_detail text not null default ''
    );
    create index calendar_source_account on calendar_source (account_id);
    create index calendar_source_next on calendar_source (next_at);
  `.execute(db)
}
