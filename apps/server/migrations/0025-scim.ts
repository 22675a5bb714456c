import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- A system that pushes people and groups by SCIM. It sees and changes what came from it alone.
    create table scim_client (
      id bigint generated always as identity primary key,
      name text not null,
      settings jsonb not null,
      -- of the token it shows; nothing: none is good
      token_hash text unique,
      token_made_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz not null default now()
    );

    create table scim_user (
      client_id bigint not null references scim_client on delete cascade,
      account_id bigint not null unique references account on delete cascade,
      external_id text not null default '',
      -- as it was pushed, without what stands in account and person
      resource jsonb not null default '{}',
      -- the client has disabled the account, and may enable it again
      disabled_by_client boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      -- for the client it is not there any more; the account is disabled
      deleted_at timestamptz,
      primary key (client_id, account_id)
    );
    create index scim_user_external on scim_user (client_id, external_id) where external_id <> '';

    create table scim_group (
      client_id bigint not null references scim_client on delete cascade,
      group_id bigint not null unique references member_group on delete cascade,
      external_id text not null default '',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (client_id, group_id)
    );
  `.execute(db)
}
