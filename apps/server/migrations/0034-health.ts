import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- A machine that services are on, by scheme, name and port: what is probed, for all of its services at once.
    create table service_host (
      origin text primary key,
      state text not null default 'unknown' check (state in ('unknown', 'up', 'slow', 'down')),
      -- since when it has been so
      since timestamptz,
      -- probes in a row that failed or were slow, and when the first of them was
      failures integer not null default 0,
      slow_answers integer not null default 0,
      trouble_at timestamptz,
      checked_at timestamptz,
      next_at timestamptz not null default now(),
      -- while somebody asks it: nobody else does
      asking_since timestamptz,
      milliseconds integer,
      status integer,
      fault text not null default ''
    );
    create index service_host_next on service_host (next_at);

    -- What is known of a service's own address, and what its owner offers while it is out of service.
    create table service_health (
      service_id bigint primary key references service on delete cascade,
      watched boolean not null default true,
      -- what its address answered last; 404 and 410 mean that the link is dead
      status integer,
      checked_at timestamptz,
      dead_since timestamptz,
      alternative_id bigint references service on delete set null,
      note text not null default '',
      note_en text not null default ''
    );

    create table service_maintenance (
      id bigint generated always as identity primary key,
      service_id bigint not null references service on delete cascade,
      starts_at timestamptz not null,
      ends_at timestamptz not null check (ends_at > starts_at),
      note text not null default '',
      note_en text not null default '',
      alternative_id bigint references service on delete set null
    );
    create index service_maintenance_time on service_maintenance (service_id, ends_at);

    -- Members who said that a service does not open: the last time of each, for two weeks.
    create table service_report (
      service_id bigint not null references service on delete cascade,
      account_id bigint not null references account on delete cascade,
      reported_at timestamptz not null default now(),
      primary key (service_id, account_id)
    );
    create index service_report_account on service_report (account_id);
  `.execute(db)
}
