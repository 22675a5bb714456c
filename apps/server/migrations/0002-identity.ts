import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    create table identity_type (
      code text primary key,
      name text not null,
      name_en text not null,
      label text check (label in ('admin', 'guest', 'student', 'teacher')),
      position integer not null default 0
    );

    create table organization (
      id bigint generated always as identity primary key,
      code text not null unique,
      name text not null,
      name_en text not null,
      parent_id bigint references organization,
      -- codes from the root down to this one, itself included
      path text[] not null,
      position integer not null default 0
    );
    create index organization_parent on organization (parent_id);

    create table member_group (
      id bigint generated always as identity primary key,
      code text not null unique,
      name text not null,
      name_en text not null
    );

    create table person (
      id bigint generated always as identity primary key,
      -- the key the institution knows the person by; imports find them again by it
      external_key text unique,
      name text not null,
      name_en text not null default '',
      mobile text not null default '',
      email text not null default '',
      portrait_file_id bigint references file,
      password_hash text,
      password_changed_at timestamptz,
      time_zone text,
      created_at timestamptz not null default now()
    );

    create table account (
      id bigint generated always as identity primary key,
      person_id bigint not null references person on delete cascade,
      username text not null check (username = lower(username)),
      identity_type_code text not null references identity_type,
      organization_id bigint not null references organization,
      status text not null default 'inactive' check (status in ('inactive', 'active', 'disabled')),
      created_at timestamptz not null default now()
    );
    create unique index account_username on account (username);
    create index account_person on account (person_id);
    create index account_organization on account (organization_id);

    create table group_member (
      group_id bigint not null references member_group on delete cascade,
      account_id bigint not null references account on delete cascade,
      primary key (group_id, account_id)
    );
    create index group_member_account on group_member (account_id);

    -- A sign-in on one device. 'central' sessions belong to the central login's cookie, 'portal' sessions to id tokens.
    create table session (
      id uuid primary key default gen_random_uuid(),
      kind text not null check (kind in ('portal', 'central')),
      account_id bigint not null references account on delete cascade,
      secret_hash text unique,
      central_session_id uuid references session on delete set null,
      device jsonb not null default '{}',
      address text not null default '',
      created_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz
    );
    create index session_account on session (account_id) where revoked_at is null;
    create index session_central on session (central_session_id) where central_session_id is not null;
    create index session_expiry on session (expires_at);

    -- Tickets of the central login: bound to a service, taken once.
    create table ticket (
      id text primary key,
      session_id uuid not null references session on delete cascade,
      service text not null,
      expires_at timestamptz not null
    );

    -- Failed sign-ins, by account and by address; the delay grows with them.
    create table login_throttle (
      key text primary key,
      failures integer not null,
      blocked_until timestamptz not null,
      updated_at timestamptz not null default now()
    );
  `.execute(db)
}
