import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- When the last wrong code came: after a minute its giver may try again.
    alter table study_attended add column wrong_at timestamptz;
  `.execute(db)
}
