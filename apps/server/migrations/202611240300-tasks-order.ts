import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table task_step
      add column snoozed_until timestamptz,
      -- when its person was told that it will be due, and that it is overdue
      add column reminded_at timestamptz,
      add column overdue_at timestamptz;
    create index task_step_due on task_step (due_at) where done_at is null and kind = 'handle' and due_at is not null;

    -- A member's own groups.
    create table task_group (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      name text not null,
      position integer not null
    );
    create unique index task_group_name on task_group (account_id, lower(name));
    create table task_in_group (
      account_id bigint not null references account on delete cascade,
      task_id bigint not null references task on delete cascade,
      group_id bigint not null references task_group on delete cascade,
      primary key (account_id, task_id)
    );
    create index task_in_group_task on task_in_group (task_id);
    create index task_in_group_group on task_in_group (group_id);

    -- Members who are reminded otherwise than the rest.
    create table task_setting (
      account_id bigint primary key references account on delete cascade,
      before_minutes integer not null,
      overdue boolean not null
    );
  `.execute(db)
}
