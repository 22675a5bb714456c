import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table article
      -- an announcement is an article of a department that may ask its readers to confirm
      add column kind text not null default 'article' check (kind in ('article', 'announcement')),
      add column needs_confirmation boolean not null default false,
      add column reminded_at timestamptz;
    create index article_updated on article (updated_at desc, id desc);
    -- what takes effect at its minute
    create index article_published_at on article (published_at) where status = 'published';

    -- A text as somebody saved it. What members read is copied from one of these into the article.
    create table article_version (
      article_id bigint not null references article on delete cascade,
      number integer not null,
      content jsonb not null,
      writer_account_id bigint references account on delete set null,
      written_at timestamptz not null default now(),
      primary key (article_id, number)
    );
    create index article_version_writer on article_version (writer_account_id) where writer_account_id is not null;

    -- Where the newest text of an article stands between its writer and its readers.
    create table article_work (
      article_id bigint primary key references article on delete cascade,
      -- rises with every change: whoever changes names the one they saw
      revision integer not null default 1,
      state text not null default 'draft' check (state in ('draft', 'review', 'refused', 'approved')),
      version integer not null,
      -- the last one a second person approved, and the one that was copied for the members
      approved_version integer,
      live_version integer,
      reviewer_account_id bigint references account on delete set null,
      reviewed_at timestamptz,
      review_note text not null default ''
    );
    create index article_work_reviewer on article_work (reviewer_account_id) where reviewer_account_id is not null;

    create table announcement_confirmation (
      article_id bigint not null references article on delete cascade,
      account_id bigint not null references account on delete cascade,
      confirmed_at timestamptz not null default now(),
      primary key (article_id, account_id)
    );
    create index announcement_confirmation_account on announcement_confirmation (account_id);

    create table news_feed (
      id bigint generated always as identity primary key,
      revision integer not null default 1,
      address text not null unique,
      -- of the address: one is asked at a time
      host text not null,
      column_id bigint not null references news_column,
      interval_minutes integer not null check (interval_minutes between 15 and 10080),
      enabled boolean not null default true,
      -- what the server said last time, and is told when it is asked again
      etag text not null default '',
      last_modified text not null default '',
      next_at timestamptz not null default now(),
      -- until when one node has it in hand
      claimed_until timestamptz,
      failures integer not null default 0,
      fetched_at timestamptz,
      result text check (result in ('imported', 'unchanged', 'partly', 'failed')),
      message text not null default '',
      added integer not null default 0,
      changed integer not null default 0,
      skipped integer not null default 0
    );
    create index news_feed_due on news_feed (next_at) where enabled;
    create index news_feed_host on news_feed (host);
    create index news_feed_column on news_feed (column_id);

    -- Pictures that were copied from elsewhere; nothing: it could not be had, and is tried again another day.
    create table news_picture (
      address text primary key,
      file_id bigint references file,
      fetched_at timestamptz not null default now()
    );
    create index news_picture_file on news_picture (file_id) where file_id is not null;
  `.execute(db)
}
