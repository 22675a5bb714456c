import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What nobody has answered yet, the longest waiting first.
    create index evaluation_waiting on evaluation (updated_at, id)
      where comment <> '' and reply = '' and hidden_at is null;
  `.execute(db)
}
