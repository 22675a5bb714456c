import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Other systems that members sign in to with this one: by CAS, by OpenID Connect, by a jump token.
    create table relying_party (
      id bigint generated always as identity primary key,
      -- how the institution knows it; for OpenID Connect the client_id
      code text not null unique,
      -- empty: as the service of the catalogue is called
      name text not null default '',
      name_en text not null default '',
      service_id bigint references service on delete set null,
      enabled boolean not null default true,
      -- origin and path, compared at a slash; none: the address of the service
      addresses text[] not null default '{}',
      -- compared letter by letter
      redirect_uris text[] not null default '{}',
      post_logout_redirect_uris text[] not null default '{}',
      logout_url text not null default '',
      backchannel_logout_url text not null default '',
      -- what it is told of a member besides the username, and what for
      attributes text[] not null default '{}',
      purpose text not null default '',
      purpose_en text not null default '',
      consent_needed boolean not null default false,
      -- whom tokens for it name; empty: its code
      token_audience text not null default '',
      public_client boolean not null default false,
      secret_hash text,
      secret_set_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index relying_party_service on relying_party (service_id) where service_id is not null;

    -- Where a sign-in was used: who is told when it ends. What the other system knows the session by is sealed.
    create table relying_party_session (
      id bigint generated always as identity primary key,
      session_id uuid not null references session on delete cascade,
      relying_party_id bigint not null references relying_party on delete cascade,
      protocol text not null check (protocol in ('cas', 'oidc')),
      sealed_key text not null,
      created_at timestamptz not null default now()
    );
    create index relying_party_session_session on relying_party_session (session_id);
    create index relying_party_session_party on relying_party_session (relying_party_id);

    -- Logouts that other systems have yet to be told of.
    create table logout_notice (
      id bigint generated always as identity primary key,
      relying_party_id bigint not null references relying_party on delete cascade,
      protocol text not null,
      sealed_key text not null,
      tries integer not null default 0,
      due_at timestamptz not null default now(),
      created_at timestamptz not null default now()
    );
    create index logout_notice_due on logout_notice (due_at);
    create index logout_notice_party on logout_notice (relying_party_id);
  `.execute(db)
}
