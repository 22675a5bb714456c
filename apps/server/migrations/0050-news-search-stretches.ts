import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- The stretch of thirty days in which an article appeared, counted from 1970: as an array, which an index of words can hold
    -- beside them. So the newest with a word are found without reading all the others that hold it.
    create function article_stretch(timestamptz) returns integer[] language sql immutable parallel safe as
      $$ select array[floor(extract(epoch from $1 at time zone 'UTC') / 2592000)::integer] $$;
    drop index article_search;
    create index article_search on article using gin (search, article_stretch(published_at)) where status = 'published';
    analyze article;
  `.execute(db)
}
