import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Outside logins that members may use, as operators set them up.
    create table identity_provider (
      id bigint generated always as identity primary key,
      code text not null unique check (code ~ '^[a-z][a-z0-9-]{0,39}$'),
      kind text not null check (kind in ('cas', 'openid', 'wechat-mini', 'wecom')),
      name text not null,
      name_en text not null default '',
      settings jsonb not null default '{}',
      sealed_secret text,
      enabled boolean not null default false,
      position integer not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    -- Who somebody is at a provider. The realm is where the subject is unique: issuer, app or corporation. A provider that is
    -- pointed elsewhere knows nobody any more.
    create table federated_identity (
      id bigint generated always as identity primary key,
      provider_id bigint not null references identity_provider on delete cascade,
      realm text not null,
      subject text not null,
      person_id bigint not null references person on delete cascade,
      -- what the provider calls them
      display text not null default '',
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      unique (provider_id, realm, subject)
    );
    create index federated_identity_person on federated_identity (person_id);

    -- A provider has said who somebody is. Good for one sign-in within ten minutes; afterwards it is what the provider may end
    -- the session by.
    create table federated_login (
      id uuid primary key default gen_random_uuid(),
      nonce_hash text not null unique,
      provider_id bigint not null references identity_provider on delete cascade,
      realm text not null,
      subject text not null,
      display text not null default '',
      -- what the provider says an account of ours is called, where an operator believes it
      username text not null default '',
      -- a hash of what the browser that asked keeps; empty where a program asked that has no cookies
      browser_hash text not null default '',
      -- a hash of what the provider calls its own session: a ticket, or sid
      session_hash text,
      used_at timestamptz,
      -- the identity becomes this person's once the sign-in is through
      binds boolean not null default false,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
    create index federated_login_session on federated_login (session_hash) where session_hash is not null;
    create index federated_login_subject on federated_login (provider_id, realm, subject);
    create index federated_login_expiry on federated_login (expires_at);

    alter table sign_in add column federated_login_id uuid references federated_login on delete set null;
    alter table session add column federated_login_id uuid references federated_login on delete set null;
    create index session_federated_login on session (federated_login_id) where federated_login_id is not null;
  `.execute(db)
}
