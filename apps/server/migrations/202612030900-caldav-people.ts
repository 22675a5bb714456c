import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The ATTENDEE line of a calendar program, as it wrote it; null: invited in the portal.
    alter table event_participant add column attendee text;

    -- Who is invited and what they answer is part of the event as programs read it.
    create function event_participant_revised() returns trigger language plpgsql as $$
    begin
      -- What a program wrote of the event still is what there is: its people are read from the table.
      update caldav_object object set written_in = pg_current_xact_id()
      from event join event_revision revision on revision.calendar_id = event.calendar_id and revision.event_id = event.id
      where event.id in (select event_id from changed_rows) and object.event_id = event.id
        and object.written_in = revision.changed_in;
      insert into event_revision (calendar_id, event_id, resource_name, changed_in)
      select calendar_id, id, resource_name, pg_current_xact_id() from event
      where id in (select event_id from changed_rows) order by calendar_id, id
      on conflict (calendar_id, event_id) do update set changed_in = excluded.changed_in;
      return null;
    end $$;
    create trigger event_participant_after_insert after insert on event_participant
      referencing new table as changed_rows for each statement execute function event_participant_revised();
    create trigger event_participant_after_update after update on event_participant
      referencing new table as changed_rows for each statement execute function event_participant_revised();
    create trigger event_participant_after_delete after delete on event_participant
      referencing old table as changed_rows for each statement execute function event_participant_revised();

    -- Programs read these anew: what they had read before was without the people.
    insert into event_revision (calendar_id, event_id, resource_name, changed_in)
    select calendar_id, id, resource_name, pg_current_xact_id() from event
    where exists (select from event_participant part where part.event_id = event.id) order by calendar_id, id
    on conflict (calendar_id, event_id) do update set changed_in = excluded.changed_in;
  `.execute(db)
}
