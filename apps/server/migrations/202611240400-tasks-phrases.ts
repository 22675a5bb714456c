import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What a member often writes when handling tasks, in their order.
    create table task_phrases (
      account_id bigint primary key references account on delete cascade,
      phrases text[] not null
    );
  `.execute(db)
}
