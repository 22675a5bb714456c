import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- A file that a member gave with an action; it stays while the action is known.
    create table task_outcome_file (
      outcome_id bigint not null references task_outcome on delete cascade,
      field text not null,
      file_id bigint not null references file,
      name text not null,
      position integer not null,
      primary key (outcome_id, field, file_id)
    );
    create index task_outcome_file_file on task_outcome_file (file_id);
  `.execute(db)
}
