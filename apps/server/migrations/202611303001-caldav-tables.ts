import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The password of one device, with which it reads and writes calendars and nothing else.
    create table caldav_password (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      name text not null,
      language text not null check (language in ('zh', 'en')),
      -- the first letters of the password, by which it is found; the rest is kept as its hash alone
      selector text not null,
      password_hash text not null,
      created_at timestamptz not null default now(),
      -- to the minute
      last_used_at timestamptz,
      unique (account_id, selector)
    );

    -- What a program calls the resource of an event; null: named after its id.
    alter table event add column resource_name text;
    create unique index event_resource_name on event (calendar_id, resource_name) where resource_name is not null;

    -- An event as a program wrote it, with what has no column of its own: alarms, attachments, its own properties.
    create table caldav_object (
      event_id bigint primary key references event on delete cascade,
      body text not null,
      -- the transaction that wrote both; any later change of the event has another
      written_in xid8 not null
    );

    -- In which transaction an event of a calendar was last changed, or went. Kept by triggers, so that no writer forgets it.
    create table event_revision (
      calendar_id bigint not null references calendar on delete cascade,
      event_id bigint not null,
      resource_name text,
      changed_in xid8 not null,
      primary key (calendar_id, event_id)
    );
    create index event_revision_changed on event_revision (calendar_id, changed_in);

    create function event_after_insert() returns trigger language plpgsql as $$
    begin
      insert into event_revision (calendar_id, event_id, resource_name, changed_in)
      select calendar_id, id, resource_name, pg_current_xact_id() from new_rows order by calendar_id, id
      on conflict (calendar_id, event_id) do update
        set changed_in = excluded.changed_in, resource_name = excluded.resource_name;
      return null;
    end $$;
    -- A calendar that goes takes its events along.
    create function event_after_delete() returns trigger language plpgsql as $$
    begin
      insert into event_revision (calendar_id, event_id, resource_name, changed_in)
      select calendar_id, id, resource_name, pg_current_xact_id() from old_rows
      where exists (select from calendar where calendar.id = old_rows.calendar_id)
      order by calendar_id, id
      on conflict (calendar_id, event_id) do update set changed_in = excluded.changed_in;
      return null;
    end $$;
    -- How far a series is written out is no change of it. One that moves is gone from where it was.
    create function event_after_update() returns trigger language plpgsql as $$
    begin
      insert into event_revision (calendar_id, event_id, resource_name, changed_in)
      select calendar_id, id, resource_name, pg_current_xact_id() from (
        select n.calendar_id, n.id, n.resource_name from new_rows n join old_rows o on o.id = n.id
        where (n.calendar_id, n.uid, n.resource_name, n.title, n.title_en, n.location, n.latitude, n.longitude, n.person,
            n.description, n.url, n.busy, n.starts_local, n.minutes, n.all_day, n.time_zone, n.zone_definition, n.rrule,
            n.excluded_local, n.version)
          is distinct from (o.calendar_id, o.uid, o.resource_name, o.title, o.title_en, o.location, o.latitude, o.longitude,
            o.person, o.description, o.url, o.busy, o.starts_local, o.minutes, o.all_day, o.time_zone, o.zone_definition,
            o.rrule, o.excluded_local, o.version)
        union all
        select o.calendar_id, o.id, o.resource_name from old_rows o join new_rows n on n.id = o.id
        where n.calendar_id <> o.calendar_id
      ) changed order by calendar_id, id
      on conflict (calendar_id, event_id) do update
        set changed_in = excluded.changed_in, resource_name = excluded.resource_name;
      return null;
    end $$;
    create trigger event_after_insert after insert on event
      referencing new table as new_rows for each statement execute function event_after_insert();
    create trigger event_after_delete after delete on event
      referencing old table as old_rows for each statement execute function event_after_delete();
    create trigger event_after_update after update on event
      referencing old table as old_rows new table as new_rows for each statement execute function event_after_update();

    create function event_override_after_change() returns trigger language plpgsql as $$
    begin
      insert into event_revision (calendar_id, event_id, resource_name, changed_in)
      select calendar_id, id, resource_name, pg_current_xact_id() from event
      where id in (select event_id from changed_rows) order by calendar_id, id
      on conflict (calendar_id, event_id) do update set changed_in = excluded.changed_in;
      return null;
    end $$;
    create trigger event_override_after_insert after insert on event_override
      referencing new table as changed_rows for each statement execute function event_override_after_change();
    create trigger event_override_after_update after update on event_override
      referencing new table as changed_rows for each statement execute function event_override_after_change();
    create trigger event_override_after_delete after delete on event_override
      referencing old table as changed_rows for each statement execute function event_override_after_change();
  `.execute(db)
}
