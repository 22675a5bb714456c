import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- A sign-in on a computer that a phone confirms. Code and browser are known by their hashes alone.
    create table scan_login (
      code_hash text primary key,
      browser_hash text not null unique,
      number text not null,
      state text not null default 'waiting' check (state in ('waiting', 'scanned', 'confirmed', 'refused', 'used')),
      account_id bigint references account on delete cascade,
      strong boolean not null default false,
      device jsonb not null,
      address text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
    create index scan_login_address on scan_login (address, created_at);
    create index scan_login_account on scan_login (account_id) where account_id is not null;
    create index scan_login_expires on scan_login (expires_at);
  `.execute(db)
}
