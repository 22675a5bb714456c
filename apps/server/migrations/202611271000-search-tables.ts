import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Own searches of those who want them kept, for all of their devices.
    create table search_history (
      account_id bigint not null references account on delete cascade,
      words text not null,
      searched_at timestamptz not null default now(),
      primary key (account_id, words)
    );
    create index search_history_newest on search_history (account_id, searched_at desc);
    create table search_setting (
      account_id bigint primary key references account on delete cascade,
      keeps_history boolean not null
    );

    -- What was searched for, by day and by what people searched as (an identity type, or visitor). Nobody is named.
    create table search_day (
      day date not null,
      searcher_class text not null,
      words text not null,
      searches integer not null default 0,
      -- different people, as far as they were counted
      people integer not null default 0,
      not_found integer not null default 0,
      opened integer not null default 0,
      primary key (day, words, searcher_class)
    );
    -- Counts different people: a keyed hash of the day, the words and the account, gone after that day.
    create table search_mark (
      day date not null,
      mark text not null,
      primary key (day, mark)
    );

    -- What was opened after a search, with a weight that fades.
    create table search_opened (
      searcher_class text not null,
      kind text not null,
      target text not null,
      weight double precision not null,
      weighed_at timestamptz not null default now(),
      primary key (searcher_class, kind, target)
    );
    create index search_opened_weight on search_opened (weight desc);

    -- Searches in vain that mean the same, and what operators did about them.
    create table search_failure (
      id bigint generated always as identity primary key,
      -- what the wordings have in common: their words, sorted, each by the first of its synonyms
      meaning text not null unique,
      kind text not null check (kind in ('notFound', 'notOpened', 'badAnswer')),
      -- the most frequent first
      wordings text[] not null,
      searches integer not null,
      people integer not null,
      last_on date not null,
      decision text check (decision in ('synonym', 'answer', 'guide', 'nothing')),
      decided_at timestamptz,
      found_before integer,
      found_now integer
    );
    create index search_failure_open on search_failure (searches desc) where decision is null;
  `.execute(db)
}
