import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table person
      add column mobile_verified_at timestamptz,
      add column email_verified_at timestamptz,
      -- set by an operator, or for a first password somebody else chose
      add column password_must_change boolean not null default false,
      -- the version of the user agreement that was accepted last
      add column agreement_version text not null default '';
    create index person_mobile on person (mobile) where mobile <> '';
    create index person_email on person (lower(email)) where email <> '';

    alter table session
      -- how the person came in, and whether a second factor was given
      add column way text not null default 'password',
      add column strong boolean not null default false,
      -- when the person last proved who they are, everything that is asked for included
      add column confirmed_at timestamptz not null default now(),
      -- a portal session goes on by its refresh cookie until it is idle for this long; expires_at is its absolute end
      add column idle_days integer not null default 14,
      add column end_reason text check (end_reason in ('logout', 'member', 'operator', 'password', 'reuse', 'switch', 'account'));

    -- A sign-in under way: the person is known, something is still due.
    create table sign_in (
      key_hash text primary key,
      person_id bigint not null references person on delete cascade,
      account_id bigint references account on delete cascade,
      way text not null,
      strong boolean not null default false,
      tries integer not null default 0,
      device jsonb not null default '{}',
      address text not null default '',
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
    create index sign_in_expiry on sign_in (expires_at);

    -- What keeps a portal session alive. Rotated with each use; an old one that comes back ends the session.
    create table refresh_token (
      key_hash text primary key,
      session_id uuid not null references session on delete cascade,
      created_at timestamptz not null default now(),
      rotated_at timestamptz
    );
    create index refresh_token_session on refresh_token (session_id);

    -- What went well or wrong at the door, for the person and for operators.
    create table authentication_log (
      id bigint generated always as identity primary key,
      person_id bigint references person on delete cascade,
      account_id bigint references account on delete set null,
      -- as it was typed, where no account has that name
      username text not null default '',
      way text not null,
      result text not null,
      device jsonb not null default '{}',
      address text not null default '',
      place text not null default '',
      happened_at timestamptz not null default now()
    );
    create index authentication_log_person on authentication_log (person_id, id desc);
    create index authentication_log_time on authentication_log (happened_at);

    -- Short messages and mails on their way out. A demo keeps them here for operators to read.
    create table outbox (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('sms', 'mail')),
      recipient text not null,
      subject text not null default '',
      body text not null,
      -- for providers that take the name of a text and its values
      template text not null default '',
      template_values jsonb not null default '{}',
      tries integer not null default 0,
      due_at timestamptz not null default now(),
      sent_at timestamptz,
      failed_at timestamptz,
      error text not null default '',
      created_at timestamptz not null default now()
    );
    create index outbox_due on outbox (due_at) where sent_at is null and failed_at is null;
  `.execute(db)
}
