import { type Kysely, sql } from 'kysely'

/** Nodes index a new or changed name at once; before, they looked every 30 seconds. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create function announce_account_name_due() returns trigger language plpgsql as $$
    begin
      -- Equal notifications of one transaction are sent once.
      perform pg_notify('atrium', '{"kind":"names","key":""}');
      return null;
    end $$;
    create trigger account_name_due_announced after insert or update on account_name_due
      for each statement execute function announce_account_name_due();
  `.execute(db)
}
