import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Questions with their answers. The texts are plain.
    create table knowledge_question (
      id bigint generated always as identity primary key,
      revision integer not null default 1,
      question text not null,
      question_en text not null default '',
      answer text not null,
      answer_en text not null default '',
      wordings text[] not null default '{}',
      -- a page of the portal or an https address
      url text not null default '',
      organization_id bigint references organization on delete set null,
      owner_account_id bigint references account on delete set null,
      audience_id integer not null references audience,
      online boolean not null default true,
      valid_from timestamptz,
      valid_until timestamptz,
      review_on date,
      reviewed_at timestamptz,
      -- where it was imported from, and which one it is there
      source text not null default '',
      source_key text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (valid_until is null or valid_from is null or valid_until > valid_from)
    );
    create unique index knowledge_question_source on knowledge_question (source_key);
    create index knowledge_question_newest on knowledge_question (updated_at desc, id desc);
    create index knowledge_question_organization on knowledge_question (organization_id);
    create index knowledge_question_owner on knowledge_question (owner_account_id);

    -- How often a question answered somebody, and whether it helped, by day. Nobody is named.
    create table knowledge_use (
      question_id bigint not null references knowledge_question on delete cascade,
      day date not null,
      asked integer not null default 0,
      helpful integer not null default 0,
      unhelpful integer not null default 0,
      primary key (question_id, day)
    );
    create index knowledge_use_day on knowledge_use (day);
  `.execute(db)
}
