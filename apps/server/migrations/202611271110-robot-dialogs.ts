import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    create table dialog (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      -- what was asked first
      title text not null,
      state text not null default 'robot' check (state in ('robot', 'waiting', 'agent', 'closed')),
      -- what the member gave the service desk, and said about it
      score smallint check (score between 1 and 5),
      score_comment text not null default '',
      started_at timestamptz not null default now(),
      last_at timestamptz not null default now(),
      -- when the member last had it open
      seen_at timestamptz not null default now()
    );
    create index dialog_newest on dialog (account_id, last_at desc, id desc);
    create index dialog_last on dialog (last_at);

    create table dialog_line (
      id bigint generated always as identity primary key,
      dialog_id bigint not null references dialog on delete cascade,
      author text not null check (author in ('member', 'robot', 'agent', 'note')),
      agent_account_id bigint references account on delete set null,
      text text not null,
      -- of a note, which both sides read
      text_en text not null default '',
      -- of an answer of the robot: its sentences, sources, what can be opened, what may be asked next, how it ended
      answer jsonb,
      helpful boolean,
      comment text not null default '',
      created_at timestamptz not null default now()
    );
    create index dialog_line_dialog on dialog_line (dialog_id, id);
    create index dialog_line_agent on dialog_line (agent_account_id) where agent_account_id is not null;
  `.execute(db)
}
