import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table task
      add column source_id bigint references task_source on delete restrict,
      -- the source's own id of it
      add column source_key text,
      -- the source's own count of its changes: an older state never takes the place of a newer one
      add column source_version bigint not null default 0,
      -- of the state that was put in last; null: what is here differs from it
      add column source_digest text,
      add column put_at timestamptz;
    create unique index task_source_key on task (source_id, source_key) where source_id is not null;
    create index task_source_open on task (source_id, put_at) where status in ('progress', 'hang');

    alter table task_step
      add column step_key text,
      -- what one may do: [{ code, text, textEn, tone, comment, fields }]
      add column actions jsonb not null default '[]';
    create unique index task_step_key on task_step (task_id, step_key) where step_key is not null;

    -- What a member did about a task, until its source has taken it and after.
    create table task_outcome (
      id bigint generated always as identity primary key,
      -- names it in calls to the source, however often they are repeated
      key uuid not null unique default gen_random_uuid(),
      -- the member's own id of it: the same again does nothing
      request_key text,
      task_id bigint not null references task on delete cascade,
      step_id bigint references task_step on delete set null,
      step_key text,
      account_id bigint not null references account on delete cascade,
      action text not null,
      action_text text not null,
      comment text not null default '',
      form jsonb not null default '{}',
      status text not null check (status in ('sending', 'accepted', 'refused')),
      reason text not null default '',
      failures integer not null default 0,
      due_at timestamptz not null default now(),
      created_at timestamptz not null default now(),
      ended_at timestamptz
    );
    create index task_outcome_due on task_outcome (due_at) where status = 'sending';
    create index task_outcome_task on task_outcome (task_id, id);
    create index task_outcome_step on task_outcome (step_id);
    create index task_outcome_account on task_outcome (account_id, id);
    create unique index task_outcome_request on task_outcome (account_id, request_key) where request_key is not null;
  `.execute(db)
}
