import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Words and photos that an operator has taken out of sight, and why; the stars count all the same.
    alter table evaluation
      add hidden_at timestamptz,
      add hidden_reason text not null default '',
      add constraint evaluation_hidden check ((hidden_at is null) = (hidden_reason = ''));
  `.execute(db)
}
