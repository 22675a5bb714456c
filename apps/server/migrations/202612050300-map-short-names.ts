import { type Kysely, sql } from 'kysely'

/** What rooms call a building: 教一 101 is in 第一教学楼. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table place add column short_name text not null default ''`.execute(db)
}
