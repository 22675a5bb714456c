import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    create table academic_term (
      id bigint generated always as identity primary key,
      name text not null,
      name_en text not null default '',
      starts_on date not null,
      weeks integer not null,
      unique (starts_on)
    );

    create table holiday (
      day date primary key,
      name text not null,
      name_en text not null default '',
      -- false: a working day in exchange for a holiday
      off boolean not null
    );

    -- A personal calendar has an owner; any other has an audience, and its members see it when it is shown to all of
    -- them or when they subscribed.
    create table calendar (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('personal', 'course', 'public')),
      source text not null default '',
      source_key text,
      name text not null,
      name_en text not null default '',
      color text not null default 'blue',
      owner_account_id bigint references account on delete cascade,
      audience_id integer references audience,
      shown_to_all boolean not null default false,
      check ((owner_account_id is null) <> (audience_id is null)),
      unique (source, source_key)
    );
    create index calendar_owner on calendar (owner_account_id) where owner_account_id is not null;
    create index calendar_audience on calendar (audience_id) where audience_id is not null;

    create table calendar_subscription (
      account_id bigint not null references account on delete cascade,
      calendar_id bigint not null references calendar on delete cascade,
      primary key (account_id, calendar_id)
    );

    -- Times are wall-clock times in the event's own zone: 'every Monday at eight' stays at eight when clocks change.
    create table event (
      id bigint generated always as identity primary key,
      calendar_id bigint not null references calendar on delete cascade,
      uid text,
      kind text not null default 'event' check (kind in ('course', 'event')),
      title text not null,
      title_en text not null default '',
      location text not null default '',
      person text not null default '',
      description text not null default '',
      starts_local timestamp not null,
      minutes integer not null check (minutes >= 0),
      all_day boolean not null default false,
      time_zone text not null,
      rrule text not null default '',
      excluded_local timestamp[] not null default '{}',
      -- occurrences are in event_occurrence up to here; null: all of them
      expanded_until timestamptz,
      updated_at timestamptz not null default now(),
      unique (calendar_id, uid)
    );
    create index event_to_expand on event (expanded_until) where expanded_until is not null;

    -- One occurrence that differs from its series.
    create table event_override (
      event_id bigint not null references event on delete cascade,
      original_local timestamp not null,
      starts_local timestamp not null,
      minutes integer not null,
      title text,
      location text,
      primary key (event_id, original_local)
    );

    -- The series written out, kept by the code that writes events and by a daily job.
    create table event_occurrence (
      event_id bigint not null references event on delete cascade,
      calendar_id bigint not null references calendar on delete cascade,
      starts_at timestamptz not null,
      ends_at timestamptz not null,
      original_local timestamp not null,
      -- longer than a day: found by its own small index
      long boolean generated always as (ends_at - starts_at > interval '1 day') stored,
      primary key (event_id, original_local)
    );
    create index event_occurrence_short on event_occurrence (calendar_id, starts_at) where not long;
    create index event_occurrence_long on event_occurrence (calendar_id, ends_at) where long;
  `.execute(db)
}
