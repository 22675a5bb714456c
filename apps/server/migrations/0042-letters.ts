import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    create table mailbox (
      id bigint generated always as identity primary key,
      revision integer not null default 1,
      -- the department that answers; nothing: the institution itself
      organization_id bigint references organization,
      name text not null,
      name_en text not null default '',
      description text not null default '',
      description_en text not null default '',
      -- who may write to it, and reads what it has published
      audience_id integer not null references audience,
      open boolean not null default true,
      position integer not null default 0
    );

    create table letter (
      id bigint generated always as identity primary key,
      revision integer not null default 1,
      mailbox_id bigint not null references mailbox,
      account_id bigint not null references account on delete cascade,
      title text not null,
      content text not null,
      -- the writer agrees that question and answer are published; whether they are is the department's word
      may_publish boolean not null,
      answer text not null default '',
      answerer_account_id bigint references account on delete set null,
      answered_at timestamptz,
      published_at timestamptz check (published_at is null or (may_publish and answered_at is not null)),
      created_at timestamptz not null default now()
    );
    create index letter_own on letter (account_id, created_at desc, id desc);
    create index letter_mailbox on letter (mailbox_id, created_at desc, id desc);
    create index letter_published on letter (published_at desc, id desc) where published_at is not null;
    create index letter_answerer on letter (answerer_account_id) where answerer_account_id is not null;
  `.execute(db)
}
