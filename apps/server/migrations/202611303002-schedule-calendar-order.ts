import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The order in which a member has put calendars; those that are not in it come after.
    create table calendar_position (
      account_id bigint not null references account on delete cascade,
      calendar_id bigint not null references calendar on delete cascade,
      position integer not null,
      primary key (account_id, calendar_id)
    );
    create index calendar_position_calendar on calendar_position (calendar_id);
  `.execute(db)
}
