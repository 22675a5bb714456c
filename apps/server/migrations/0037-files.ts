import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What a member uploads has a name and an owner and is a row of its own; what the server keeps has no name, and one row
    -- for the same bytes. Below both, the bytes are stored once.
    alter table file
      add column name text,
      add column used_at timestamptz not null default now(),
      -- false: taken while the scanner was away, and served to nobody before it has looked
      add column scanned boolean not null default true,
      drop constraint file_sha256_key;
    create unique index file_kept on file (sha256) where name is null;
    create index file_sha256 on file (sha256);
    create index file_unscanned on file (id) where not scanned;

    -- A table of its own: a person has a portrait, so a file that had an owner would close a circle.
    create table file_owner (
      file_id bigint primary key references file on delete cascade,
      account_id bigint not null references account on delete cascade
    );
    create index file_owner_account on file_owner (account_id, file_id desc);
  `.execute(db)
}
