import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Files that systems have sent to hang on their messages; what no message uses is taken away after its grace.
    create table message_file (
      file_id bigint primary key references file on delete cascade,
      -- the system's code, as in message.source
      system text not null
    );
    create index message_file_system on message_file (system);
  `.execute(db)
}
