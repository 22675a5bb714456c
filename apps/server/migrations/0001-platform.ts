import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What this installation is. Exactly one row.
    create table installation (
      only_row boolean primary key default true check (only_row),
      instance_id uuid not null default gen_random_uuid(),
      demo boolean not null default false,
      demo_filled_at timestamptz,
      created_at timestamptz not null default now()
    );
    insert into installation default values;

    -- Raised in the transaction that changes what a topic names; every node drops its cached bodies of that topic.
    create table topic_version (
      topic text primary key,
      version bigint not null
    );

    -- A set of rules that says who may see something. Equal rule sets share a row.
    create table audience (
      id integer generated always as identity primary key,
      rules jsonb not null,
      rules_key text not null unique
    );

    create table config_value (
      key text primary key,
      value text not null,
      updated_at timestamptz not null default now()
    );

    create table signing_key (
      kid text primary key,
      public_jwk jsonb not null,
      sealed_private_jwk text not null,
      created_at timestamptz not null default now()
    );

    create table file (
      id bigint generated always as identity primary key,
      sha256 text not null unique,
      media_type text not null,
      byte_size integer not null,
      is_public boolean not null,
      created_at timestamptz not null default now()
    );
  `.execute(db)
}
