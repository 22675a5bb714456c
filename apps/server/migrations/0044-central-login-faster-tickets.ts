import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Tickets that were given before this are worth nothing from here on, so what was used of them may go.
    drop table used_ticket;
    create table used_ticket (
      -- when the ticket was given and the random bits it begins with: what is used at one time lies together
      id uuid primary key,
      -- when it would have run out by itself: the row is not needed any longer
      expires_at timestamptz not null
    );

    -- What is told together is one row, not one for each attribute: it is written with every ticket.
    alter table attribute_release add column attributes text[];
    update attribute_release set attributes = array[attribute];
    alter table attribute_release drop constraint attribute_release_pkey;
    alter table attribute_release drop column attribute, alter column attributes set not null,
      add primary key (account_id, relying_party_id, attributes);
  `.execute(db)
}
