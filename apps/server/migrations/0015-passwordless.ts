import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table outbox
      -- a code that comes too late is not sent at all
      add column good_until timestamptz;
    create index outbox_created on outbox (created_at);

    -- A code on its way to a contact: one for each request that it was made for. Used rows stay until their request is
    -- over, so that nothing is taken twice.
    create table contact_code (
      key_hash text not null,
      purpose text not null,
      contact text not null,
      -- whose contact it is; nobody's contact gets a row too, and no message
      person_id bigint references person on delete cascade,
      code_hash text not null,
      tries integer not null default 0,
      used_at timestamptz,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      primary key (key_hash, purpose)
    );
    create index contact_code_expiry on contact_code (expires_at);

    -- Who asked for a code, and where it went: what the limits count.
    create table code_request (
      id bigint generated always as identity primary key,
      contact text not null,
      -- of visitors, so that a flood from one place ends; empty for members
      address text not null default '',
      device text not null default '',
      -- the member who asked
      person_id bigint references person on delete cascade,
      created_at timestamptz not null default now()
    );
    create index code_request_contact on code_request (contact, created_at);
    create index code_request_address on code_request (address, created_at) where address <> '';
    create index code_request_device on code_request (device, created_at) where device <> '';
    create index code_request_person on code_request (person_id, created_at) where person_id is not null;
    create index code_request_time on code_request (created_at);
  `.execute(db)
}
