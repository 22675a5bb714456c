import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- For some days somebody's to-dos can be handled by others too, in their name.
    create table task_delegation (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      starts_on date not null,
      ends_on date not null check (ends_on >= starts_on),
      -- the days by the institution's clock when they were chosen
      starts_at timestamptz not null,
      ends_at timestamptz not null,
      -- by the name of their source; none: all
      sources text[] not null default '{}',
      note text not null default '',
      created_at timestamptz not null default now(),
      revoked_at timestamptz,
      -- what the lists of others show of it now
      state text not null default 'waiting' check (state in ('waiting', 'active', 'over'))
    );
    create index task_delegation_account on task_delegation (account_id, id);
    create index task_delegation_due on task_delegation (starts_at, ends_at) where state <> 'over';
    create table task_delegate (
      delegation_id bigint not null references task_delegation on delete cascade,
      account_id bigint not null references account on delete cascade,
      primary key (delegation_id, account_id)
    );
    create index task_delegate_account on task_delegate (account_id);
    create table task_delegation_policy (
      id boolean primary key default true check (id),
      policy jsonb not null
    );

    alter table task_step
      -- the step of somebody else that this one is handled for
      add column for_step_id bigint references task_step on delete cascade,
      -- who handled it in its person's name
      add column acted_by_account_id bigint references account on delete set null,
      add column acted_by_name text not null default '';
    create unique index task_step_for on task_step (for_step_id, account_id) where for_step_id is not null;
    create index task_step_acted_by on task_step (acted_by_account_id) where acted_by_account_id is not null;
  `.execute(db)
}
