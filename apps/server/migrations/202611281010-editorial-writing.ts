import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- When its writer began a version: what is saved on its own while they write on stays one version for a while.
    alter table article_version add column started_at timestamptz not null default now();

    alter table article_work
      -- when it is meant to appear, while nobody has published it
      add column planned_at timestamptz;
    create index article_work_planned on article_work (planned_at) where planned_at is not null;

    alter table article
      -- what of the title picture stays in sight where it is cut: hundredths from the left and from above
      add column image_focus_x smallint check (image_focus_x between 0 and 100),
      add column image_focus_y smallint check (image_focus_y between 0 and 100);

    -- What somebody said of a passage while a text was written or looked at, and the answers to it. Readers never see it.
    create table article_remark (
      id bigint generated always as identity primary key,
      article_id bigint not null references article on delete cascade,
      -- the remark that this one answers
      parent_id bigint references article_remark on delete cascade,
      version integer not null,
      language text not null check (language in ('zh', 'en')),
      -- the passage, and what stood before and behind it: by these it is found again in a text that has changed
      quote text not null default '',
      prefix text not null default '',
      suffix text not null default '',
      content text not null,
      account_id bigint references account on delete set null,
      created_at timestamptz not null default now(),
      resolved_at timestamptz,
      resolved_account_id bigint references account on delete set null
    );
    create index article_remark_article on article_remark (article_id, id);
    create index article_remark_parent on article_remark (parent_id) where parent_id is not null;
    create index article_remark_account on article_remark (account_id) where account_id is not null;
    create index article_remark_resolved on article_remark (resolved_account_id) where resolved_account_id is not null;

    -- Who alone approves what is written in a column; without any, everybody who writes there.
    create table news_column_reviewer (
      column_id bigint not null references news_column on delete cascade,
      account_id bigint not null references account on delete cascade,
      primary key (column_id, account_id)
    );
    create index news_column_reviewer_account on news_column_reviewer (account_id);
  `.execute(db)
}
