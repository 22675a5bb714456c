import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- A ticket of another system: what it may be told, and whether the member has just shown who they are.
    alter table ticket
      add column relying_party_id bigint references relying_party on delete cascade,
      add column attributes text[] not null default '{}',
      add column new_login boolean not null default false;

    alter table session
      -- the cookie outlives the browser
      add column remembered boolean not null default false,
      -- when the first ticket came of it
      add column ticketed_at timestamptz;

    -- What a member has agreed that a system is told.
    create table consent (
      account_id bigint not null references account on delete cascade,
      relying_party_id bigint not null references relying_party on delete cascade,
      attributes text[] not null,
      given_at timestamptz not null default now(),
      primary key (account_id, relying_party_id)
    );
    create index consent_party on consent (relying_party_id);

    -- What a system was told of a member. A system with such rows is not deleted.
    create table attribute_release (
      account_id bigint not null references account on delete cascade,
      relying_party_id bigint not null references relying_party,
      attribute text not null,
      first_at timestamptz not null default now(),
      last_at timestamptz not null default now(),
      release_count integer not null default 1,
      primary key (account_id, relying_party_id, attribute)
    );
    create index attribute_release_party on attribute_release (relying_party_id);
  `.execute(db)
}
