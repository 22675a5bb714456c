import { type Kysely, sql } from 'kysely'

/**
 * What a message is found by, as typed words are compared with it. To make it of each message of a box while searching took most
 * of the time of a search. Messages that are there already keep an empty one, so that the table is not written anew; they are
 * compared as before.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table message add column search_text text not null default ''`.execute(db)
  await sql`
    create function message_search_text() returns trigger language plpgsql as $$
    begin
      new.search_text := lower(normalize(
        concat_ws(' ', new.title, new.title_en, new.summary, new.summary_en, new.sender), NFKC));
      return new;
    end $$`.execute(db)
  await sql`
    create trigger message_search_text
    before insert or update of title, title_en, summary, summary_en, sender on message
    for each row execute function message_search_text()`.execute(db)
}
