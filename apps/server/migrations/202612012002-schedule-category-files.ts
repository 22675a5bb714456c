import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table event
      -- in the words of whoever wrote it
      add column category text not null default '',
      -- null: the calendar's
      add column category_color text;

    -- Files of an event, for everybody who reads it.
    create table event_file (
      event_id bigint not null references event on delete cascade,
      file_id bigint not null references file,
      name text not null,
      position smallint not null,
      primary key (event_id, file_id)
    );
    create index event_file_file on event_file (file_id);
  `.execute(db)
}
