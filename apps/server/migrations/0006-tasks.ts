import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    create table task (
      id bigint generated always as identity primary key,
      title text not null,
      source text not null,
      applicant_account_id bigint references account on delete set null,
      applicant_name text not null default '',
      status text not null default 'progress' check (status in ('progress', 'finish', 'break', 'hang')),
      draft boolean not null default false,
      urgent boolean not null default false,
      note text not null default '',
      form jsonb not null default '[]',
      url text not null default '',
      created_at timestamptz not null default now(),
      due_at timestamptz
    );
    create index task_applicant on task (applicant_account_id, draft, created_at desc, id desc);

    -- A step is somebody's part in a task: to handle it, or to take note of it (circulation).
    create table task_step (
      id bigint generated always as identity primary key,
      task_id bigint not null references task on delete cascade,
      account_id bigint references account on delete set null,
      person_name text not null default '',
      kind text not null check (kind in ('handle', 'circulate')),
      name text not null default '',
      sent_by_account_id bigint references account on delete set null,
      action text not null default '',
      comment text not null default '',
      created_at timestamptz not null default now(),
      due_at timestamptz,
      done_at timestamptz
    );
    create index task_step_task on task_step (task_id, id);
    create index task_step_open on task_step (account_id, kind, due_at, id) where done_at is null;
    create index task_step_done on task_step (account_id, kind, done_at desc, id desc) where done_at is not null;
  `.execute(db)
}
