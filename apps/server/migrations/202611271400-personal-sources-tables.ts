import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- How a system is asked what it knows of a member; of each kind one. What it said is in personal_card.
    create table personal_source (
      kind text primary key check (kind in ('ecard', 'books', 'mailbox', 'research', 'info', 'scan')),
      connector jsonb not null,
      sealed_secret text,
      asked_at timestamptz,
      answered_at timestamptz,
      failures integer not null default 0,
      refused integer not null default 0,
      milliseconds integer not null default 0,
      error text not null default ''
    );

    -- The release before knows three kinds and writes no others; a value of null says that the system knows nothing.
    alter table personal_card drop constraint personal_card_kind_check;
    alter table personal_card add constraint personal_card_kind_check
      check (kind in ('ecard', 'books', 'mailbox', 'research', 'info'));
  `.execute(db)
}
