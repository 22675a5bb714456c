import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table sign_in
      -- days for which the browser stays signed in to the central login; none: until it closes
      add column remember_days integer,
      -- the central session of a member who shows once more who they are: what it was used for goes on under the new one
      add column renews_session_id uuid references session on delete set null;
  `.execute(db)
}
