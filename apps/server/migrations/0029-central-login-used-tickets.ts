import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- A ticket of another system carries what it stands for, sealed; what has to be known of it is that it was shown.
    create table used_ticket (
      -- hash of the ticket
      id text primary key,
      -- when it would have run out by itself: the row is not needed any longer
      expires_at timestamptz not null
    );

    delete from ticket where relying_party_id is not null;
    alter table ticket drop column relying_party_id, drop column attributes, drop column new_login;
  `.execute(db)
}
