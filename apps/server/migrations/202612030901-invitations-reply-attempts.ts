import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A mail in the mailbox for answers that could not be taken, for a reason of its own.
    create table invitation_reply (
      uid_validity bigint not null,
      uid bigint not null,
      attempts integer not null default 1,
      -- when it is tried again; the others go on before
      next_at timestamptz not null,
      primary key (uid_validity, uid)
    );
  `.execute(db)
}
