import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What stands for {{name}} in this reader's copy of the message; null: it reads the same for everybody.
    alter table message_delivery add column variables jsonb;
    -- The variables that differ from reader to reader, and whether mails say the whole text.
    alter table message
      add column variables text[] not null default '{}',
      add column mails_content boolean not null default false;
    -- A mail's text once more, with its layout; emptied when it is over.
    alter table outbox add column html text not null default '';
  `.execute(db)
}
