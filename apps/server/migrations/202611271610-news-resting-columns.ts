import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Whom a column is for once it is turned on again. While it rests, audience_id admits nobody: whatever reads articles
    -- asks for that alone.
    alter table news_column add column resting_audience_id integer references audience;
  `.execute(db)
}
