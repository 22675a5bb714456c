import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- A directory of the institution (LDAP, Active Directory): people come from it, and it may answer for their passwords.
    create table directory (
      id bigint generated always as identity primary key,
      code text not null unique,
      -- as the contract names its fields
      settings jsonb not null,
      -- of the account that reads the directory
      sealed_password text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    -- Whose entry an account is. The key is the directory's own and stays when somebody is renamed or moved.
    create table directory_entry (
      directory_id bigint not null references directory on delete cascade,
      external_key text not null,
      account_id bigint not null unique references account on delete cascade,
      -- an import has disabled the account, and may enable it again
      disabled_by_import boolean not null default false,
      primary key (directory_id, external_key)
    );

    create table directory_organization (
      directory_id bigint not null references directory on delete cascade,
      external_key text not null,
      organization_id bigint not null unique references organization on delete cascade,
      primary key (directory_id, external_key)
    );

    -- Who is in these is the directory's to say.
    create table directory_group (
      directory_id bigint not null references directory on delete cascade,
      external_key text not null,
      group_id bigint not null unique references member_group on delete cascade,
      primary key (directory_id, external_key)
    );

    -- What an import did, or would have done.
    create table directory_run (
      id bigint generated always as identity primary key,
      directory_id bigint not null references directory on delete cascade,
      dry boolean not null,
      -- 'schedule', or who asked for it
      started_by text not null,
      status text not null default 'running' check (status in ('running', 'done', 'stopped', 'confirmed', 'failed')),
      -- how many accounts an operator has allowed it to disable
      may_disable integer,
      counts jsonb not null default '{}',
      notes text[] not null default '{}',
      error text not null default '',
      started_at timestamptz not null default now(),
      finished_at timestamptz
    );
    create index directory_run_directory on directory_run (directory_id, id desc);
    create index directory_run_time on directory_run (started_at);

    create table directory_run_row (
      run_id bigint not null references directory_run on delete cascade,
      position integer not null,
      kind text not null check (kind in ('organization', 'group', 'member')),
      what text not null check (what in ('added', 'changed', 'disabled', 'refused')),
      name text not null,
      detail text not null default '',
      primary key (run_id, position)
    );
  `.execute(db)
}
