import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- The code other systems know a term by, such as 2026-2027-1.
    alter table academic_term add column code text unique;
    -- The day whose lessons are taught on this one.
    alter table holiday add column taught_as date unique;

    -- Who attends or teaches the course that a calendar holds the lessons of.
    create table calendar_member (
      calendar_id bigint not null references calendar on delete cascade,
      account_id bigint not null references account on delete cascade,
      role text not null check (role in ('attends', 'teaches')),
      primary key (account_id, calendar_id)
    );
    create index calendar_member_calendar on calendar_member (calendar_id);
    -- A course has neither an owner nor an audience: its members see it.
    alter table calendar drop constraint calendar_check;
    alter table calendar add constraint calendar_check
      check (owner_account_id is null or audience_id is null);

    -- What became of an occurrence that members know of. It outlives the event: what is cancelled has no occurrence.
    create table occurrence_change (
      id bigint generated always as identity primary key,
      calendar_id bigint not null references calendar on delete cascade,
      event_id bigint references event on delete set null,
      kind text not null check (kind in ('cancelled', 'moved', 'place', 'added')),
      title text not null,
      title_en text not null default '',
      person text not null default '',
      note text not null default '',
      -- before; null: added
      starts_at timestamptz,
      ends_at timestamptz,
      location text not null default '',
      -- after; null: cancelled
      now_starts_at timestamptz,
      now_ends_at timestamptz,
      now_location text not null default '',
      changed_at timestamptz not null default now()
    );
    create index occurrence_change_before on occurrence_change (calendar_id, starts_at) where kind in ('cancelled', 'moved');
    create index occurrence_change_after on occurrence_change (event_id, now_starts_at) where event_id is not null;
    create index occurrence_change_time on occurrence_change (changed_at);

    -- Nodes keep what each member has today. Whoever changes it tells them here, so that no writer has to remember it.
    create function schedule_tell_accounts(accounts bigint[]) returns void language plpgsql as $$
    begin
      if cardinality(accounts) > 500 then
        perform pg_notify('atrium', '{"kind":"topic","key":"schedule"}');
      elsif cardinality(accounts) > 0 then
        perform pg_notify('atrium', json_build_object('kind', 'schedule', 'key', array_to_string(accounts, ','))::text);
      end if;
    end $$;
    create function schedule_tell(calendars bigint[], events bigint[]) returns void language plpgsql as $$
    begin
      if exists (select from calendar where id = any(calendars) and owner_account_id is null) then
        perform pg_notify('atrium', '{"kind":"topic","key":"schedule"}');
      end if;
      perform schedule_tell_accounts(array(
        select owner_account_id from calendar where id = any(calendars) and owner_account_id is not null
        union select account_id from calendar_share where calendar_id = any(calendars)
        union select account_id from event_participant where event_id = any(events) and account_id is not null
        order by 1));
    end $$;

    create function schedule_occurrence_changed() returns trigger language plpgsql as $$
    begin
      perform schedule_tell(array(select distinct calendar_id from changed_rows), array(select distinct event_id from changed_rows));
      return null;
    end $$;
    create function schedule_event_changed() returns trigger language plpgsql as $$
    begin
      perform schedule_tell(array(select distinct calendar_id from changed_rows), array(select id from changed_rows));
      return null;
    end $$;
    create function schedule_override_changed() returns trigger language plpgsql as $$
    begin
      perform schedule_tell(array(select distinct e.calendar_id from changed_rows c join event e on e.id = c.event_id),
                            array(select distinct event_id from changed_rows));
      return null;
    end $$;
    create function schedule_calendar_changed() returns trigger language plpgsql as $$
    begin
      if exists (select from changed_rows where owner_account_id is null) then
        perform pg_notify('atrium', '{"kind":"topic","key":"schedule"}');
      end if;
      perform schedule_tell_accounts(array(
        select owner_account_id from changed_rows where owner_account_id is not null
        union select account_id from calendar_share where calendar_id in (select id from changed_rows)
        order by 1));
      return null;
    end $$;
    create function schedule_account_changed() returns trigger language plpgsql as $$
    begin
      perform schedule_tell_accounts(array(select distinct account_id from changed_rows where account_id is not null order by 1));
      return null;
    end $$;

    ${sql.raw(
      [
        ['event_occurrence', 'schedule_occurrence_changed', 'insert update delete'],
        ['event', 'schedule_event_changed', 'update'],
        ['event_override', 'schedule_override_changed', 'insert update delete'],
        ['occurrence_change', 'schedule_occurrence_changed', 'insert update delete'],
        ['calendar', 'schedule_calendar_changed', 'update delete'],
        ['event_participant', 'schedule_account_changed', 'insert update delete'],
        ['calendar_share', 'schedule_account_changed', 'insert update delete'],
        ['calendar_hidden', 'schedule_account_changed', 'insert update delete'],
        ['calendar_subscription', 'schedule_account_changed', 'insert update delete'],
        ['calendar_member', 'schedule_account_changed', 'insert update delete'],
      ]
        .flatMap(([table, tell, events]) =>
          (events ?? '').split(' ').map(
            (event) =>
              `create trigger ${table}_tells_of_${event} after ${event} on ${table}
                 referencing ${event === 'delete' ? 'old' : 'new'} table as changed_rows
                 for each statement execute function ${tell}();`,
          ),
        )
        .join('\n'),
    )}
  `.execute(db)
}
