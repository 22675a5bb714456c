import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    create table news_column (
      id bigint generated always as identity primary key,
      code text not null unique,
      name text not null,
      name_en text not null default '',
      parent_id bigint references news_column,
      audience_id integer not null references audience,
      position integer not null default 0
    );

    create table article (
      id bigint generated always as identity primary key,
      column_id bigint not null references news_column,
      -- where an imported article comes from and its key there; importing again finds it by this
      source text not null default '',
      source_key text,
      title text not null,
      title_en text not null default '',
      summary text not null default '',
      body text not null default '',
      body_en text not null default '',
      author text not null default '',
      department text not null default '',
      department_en text not null default '',
      image_file_id bigint references file,
      url text not null default '',
      pinned boolean not null default false,
      status text not null default 'published' check (status in ('draft', 'published', 'withdrawn')),
      published_at timestamptz not null default now(),
      read_count integer not null default 0,
      unique (source, source_key)
    );
    -- the order of a column's list; the cursor is (pinned, published_at, id)
    create index article_column_list on article (column_id, pinned desc, published_at desc, id desc) where status = 'published';
    create index article_list on article (published_at desc, id desc) where status = 'published';

    create table notice (
      id bigint generated always as identity primary key,
      title text not null,
      title_en text not null default '',
      content text not null default '',
      content_en text not null default '',
      starts_at timestamptz not null,
      ends_at timestamptz not null,
      audience_id integer not null references audience
    );
    create index notice_period on notice (ends_at);
  `.execute(db)
}
