import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- The devices a person has signed in with: an unknown one is told about. The key is a hash of what the device keeps.
    create table known_device (
      person_id bigint not null references person on delete cascade,
      key_hash text not null,
      first_seen_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      primary key (person_id, key_hash)
    );
    create index known_device_unused on known_device (last_seen_at);

    -- Where an address is, is read when somebody asks: operators name their networks later, too.
    alter table authentication_log drop column place;

    create index session_ended on session (revoked_at) where revoked_at is not null;
    create index refresh_token_rotated on refresh_token (rotated_at) where rotated_at is not null;
  `.execute(db)
}
