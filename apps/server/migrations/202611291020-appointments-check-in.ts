import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Who was there, of an occurrence. Without a time: somebody who has only tried.
    create table event_check_in (
      event_id bigint not null references event on delete cascade,
      original_local timestamp not null,
      account_id bigint not null references account on delete cascade,
      wrong_codes integer not null default 0,
      at timestamptz,
      primary key (event_id, original_local, account_id)
    );
    create index event_check_in_account on event_check_in (account_id);
  `.execute(db)
}
