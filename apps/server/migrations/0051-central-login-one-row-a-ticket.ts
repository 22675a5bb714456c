import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table relying_party_session rename to former;

    -- Where a sign-in was used, and with which ticket: who is told when it ends. One row is written for each ticket, and
    -- nothing is looked up for it: sessions and systems that are gone are seen when the row is read.
    create table relying_party_session (
      -- of a service ticket when it was given and the random bits it begins with: the row keeps it from being used again
      id uuid primary key default gen_random_uuid(),
      -- nothing: nobody is told of a logout, and the row is needed for as long as the ticket could be shown
      session_id uuid,
      relying_party_id bigint,
      protocol text not null check (protocol in ('cas', 'oidc')),
      -- what the other system knows the session by, sealed
      sealed_key text,
      created_at timestamptz not null default now()
    );
    insert into relying_party_session (session_id, relying_party_id, protocol, sealed_key, created_at)
      select session_id, relying_party_id, protocol, sealed_key, created_at from former order by id;
    insert into relying_party_session (id, protocol) select id, 'cas' from used_ticket;
    drop table former, used_ticket;
    create index relying_party_session_session on relying_party_session (session_id) where session_id is not null;
  `.execute(db)
}
