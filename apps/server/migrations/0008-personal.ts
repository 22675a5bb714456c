import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What other systems of the institution say of a member, as they said it last.
    create table personal_card (
      account_id bigint not null references account on delete cascade,
      kind text not null check (kind in ('ecard', 'books', 'mailbox')),
      value jsonb not null,
      updated_at timestamptz not null default now(),
      primary key (account_id, kind)
    );
  `.execute(db)
}
