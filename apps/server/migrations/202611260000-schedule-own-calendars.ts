import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Somebody with whom a calendar is shared.
    create table calendar_share (
      calendar_id bigint not null references calendar on delete cascade,
      account_id bigint not null references account on delete cascade,
      access text not null check (access in ('busy', 'read', 'write')),
      primary key (account_id, calendar_id)
    );
    create index calendar_share_calendar on calendar_share (calendar_id);

    -- A calendar whose events a member does not want to see for now.
    create table calendar_hidden (
      account_id bigint not null references account on delete cascade,
      calendar_id bigint not null references calendar on delete cascade,
      primary key (account_id, calendar_id)
    );

    create table schedule_setting (
      account_id bigint primary key references account on delete cascade,
      default_calendar_id bigint references calendar on delete set null,
      -- minutes before; of whole days before the midnight they begin with
      reminders integer[] not null default '{15}',
      all_day_reminders integer[] not null default '{-540}',
      show_busy boolean not null default true
    );

    alter table event
      add column url text not null default '',
      add column busy boolean not null default true,
      add column version integer not null default 0,
      -- whoever made it, and is told of answers
      add column account_id bigint references account on delete set null;
    create index event_account on event (account_id) where account_id is not null;

    -- Somebody who is invited to a series: a member, or somebody outside by their address.
    create table event_participant (
      id bigint generated always as identity primary key,
      event_id bigint not null references event on delete cascade,
      account_id bigint references account on delete cascade,
      email text not null default '',
      name text not null default '',
      answer text not null default 'none' check (answer in ('none', 'yes', 'maybe', 'no')),
      comment text not null default '',
      answered_at timestamptz,
      check ((account_id is null) <> (email = '')),
      unique (event_id, account_id)
    );
    create unique index event_participant_email on event_participant (event_id, email) where account_id is null;
    create index event_participant_account on event_participant (account_id) where account_id is not null;

    create table event_reminder (
      event_id bigint not null references event on delete cascade,
      account_id bigint not null references account on delete cascade,
      minutes integer not null,
      -- of the next occurrence; null: none comes
      next_at timestamptz,
      primary key (event_id, account_id, minutes)
    );
    create index event_reminder_next on event_reminder (next_at) where next_at is not null;
    create index event_reminder_account on event_reminder (account_id);
  `.execute(db)
}
