import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    create table application_form (
      id bigint generated always as identity primary key,
      code text not null unique,
      -- of the definition that new applications have
      version integer not null default 1,
      audience_id integer not null references audience,
      organization_id bigint not null references organization on delete restrict,
      open boolean not null default true,
      position integer not null default 0
    );
    create table application_form_version (
      form_id bigint not null references application_form on delete cascade,
      version integer not null,
      -- json, not jsonb: fields are shown in their order
      definition json not null,
      created_at timestamptz not null default now(),
      primary key (form_id, version)
    );

    create table application (
      task_id bigint primary key references task on delete cascade,
      form_id bigint not null,
      version integer not null,
      account_id bigint references account on delete set null,
      -- the applicant's own id of it: the same again makes no other
      key text not null,
      data jsonb not null,
      status text not null check (status in ('draft', 'progress', 'returned', 'finish', 'break')),
      -- place of the step that decides now
      stage integer not null default -1,
      -- rises each time the application goes to a step
      round integer not null default 0,
      submitted_at timestamptz,
      foreign key (form_id, version) references application_form_version on delete restrict
    );
    create unique index application_key on application (account_id, key);
    create index application_open on application (account_id, task_id) where status in ('draft', 'progress', 'returned');
    create index application_form_running on application (form_id, status);

    -- What a step of the task is for.
    create table application_step (
      step_id bigint primary key references task_step on delete cascade,
      task_id bigint not null references application on delete cascade,
      stage integer not null,
      round integer not null,
      kind text not null check (kind in ('decide', 'escalated', 'sign', 'answer', 'revise')),
      -- who decides after it was signed or answered
      back_to_account_id bigint references account on delete set null,
      escalated_at timestamptz
    );
    create index application_step_task on application_step (task_id);

    create table application_file (
      task_id bigint not null references application on delete cascade,
      file_id bigint not null references file,
      name text not null,
      primary key (task_id, file_id)
    );
    create index application_file_file on application_file (file_id);
  `.execute(db)
}
