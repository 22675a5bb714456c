import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What somebody outside was told of an event by mail. It outlives the event: that it is cancelled is told after it is gone.
    create table invitation (
      id bigint generated always as identity primary key,
      event_id bigint not null,
      email text not null,
      name text not null,
      -- in the address to which they answer
      token text not null unique,
      -- the iCalendar object of the last mail; empty: none yet, or they are not invited any more
      sent text not null default '',
      sequence integer not null default 0,
      -- the end of the last occurrence that they were told of
      ends_at timestamptz,
      invited_at timestamptz,
      -- the DTSTAMP of the last answer
      answered_stamp timestamptz,
      -- when to look whether there is something to tell; null: nothing
      due_at timestamptz default now(),
      unique (event_id, email)
    );
    create index invitation_due on invitation (due_at) where due_at is not null;

    -- Kept by triggers: the portal, programs, imports and departments all write events, and one of them would forget.
    create function invitation_look_at(events bigint[]) returns void language plpgsql as $$
    declare
      looked bigint;
    begin
      with invited as (
        insert into invitation (event_id, email, name, token)
        select event_id, email, name, replace(gen_random_uuid()::text, '-', '') from event_participant
        where event_id = any(events) and account_id is null order by event_id, email
        on conflict (event_id, email) do update set due_at = now(), name = excluded.name
        returning id
      ), others as (
        update invitation set due_at = now()
        where event_id = any(events) and sent <> '' and not exists (select from event_participant part
          where part.event_id = invitation.event_id and part.email = invitation.email and part.account_id is null)
        returning id
      )
      select (select count(*) from invited) + (select count(*) from others) into looked;
      if looked > 0 then
        perform pg_notify('atrium', '{"kind":"invitation","key":""}');
      end if;
    end $$;
    create function invitation_participant_changed() returns trigger language plpgsql as $$
    begin
      if exists (select from changed_rows where account_id is null) then
        perform invitation_look_at(array(select distinct event_id from changed_rows where account_id is null));
      end if;
      return null;
    end $$;
    -- How far a series is written out is no change of it.
    create function invitation_event_changed() returns trigger language plpgsql as $$
    declare
      events bigint[] := array(
        select n.id from new_rows n join old_rows o on o.id = n.id where
            (n.version, n.title, n.location, n.description, n.url, n.starts_local, n.minutes, n.all_day, n.time_zone, n.rrule,
              n.excluded_local)
            is distinct from (o.version, o.title, o.location, o.description, o.url, o.starts_local, o.minutes, o.all_day,
              o.time_zone, o.rrule, o.excluded_local)
          and exists (select from event_participant part where part.event_id = n.id and part.account_id is null));
    begin
      if cardinality(events) > 0 then
        perform invitation_look_at(events);
      end if;
      return null;
    end $$;
    create trigger invitation_participant_insert after insert on event_participant
      referencing new table as changed_rows for each statement execute function invitation_participant_changed();
    create trigger invitation_participant_delete after delete on event_participant
      referencing old table as changed_rows for each statement execute function invitation_participant_changed();
    create trigger invitation_event_update after update on event
      referencing old table as old_rows new table as new_rows for each statement execute function invitation_event_changed();
  `.execute(db)
}
