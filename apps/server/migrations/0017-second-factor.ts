import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- The authenticator app of a person. The secret is sealed: the database alone cannot make a code.
    create table totp (
      person_id bigint primary key references person on delete cascade,
      secret text not null,
      -- the 30 s step of the last code that was taken; a code of this step or an earlier one is not taken again
      last_step bigint not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );

    -- For whoever lost the device: each good once. What is kept is signed with the installation's secret.
    create table recovery_code (
      person_id bigint not null references person on delete cascade,
      code_hash text not null,
      primary key (person_id, code_hash)
    );

    create table passkey (
      id bigint generated always as identity primary key,
      person_id bigint not null references person on delete cascade,
      credential_id text not null unique,
      -- COSE, as the authenticator made it
      public_key bytea not null,
      counter bigint not null,
      -- what the authenticator calls the person by; says nothing to anybody else
      user_handle text not null,
      transports text[] not null default '{}',
      backed_up boolean not null,
      name text not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );
    create index passkey_person on passkey (person_id);

    -- What an authenticator is asked to sign: five minutes, once, for one purpose of one session or sign-in.
    create table webauthn_challenge (
      challenge_hash text primary key,
      purpose text not null check (purpose in ('register', 'login', 'second-factor')),
      -- hash of the session, the sign-in or the key that was handed out with it
      bound_to text not null,
      -- what a new passkey will call its holder by
      user_handle text,
      expires_at timestamptz not null
    );
    create index webauthn_challenge_expiry on webauthn_challenge (expires_at);
  `.execute(db)
}
