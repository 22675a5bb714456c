import { type Kysely, sql } from 'kysely'

/** The name of a step and the action taken, in English, and what kind of action it was (null: unknown). */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table task_step
      add column name_en text not null default '',
      add column action_en text not null default '',
      add column tone text check (tone in ('primary', 'plain', 'danger'));
  `.execute(db)
}
