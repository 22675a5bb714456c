import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table news_column
      -- the department whose people write here; nothing: the institution's
      add column organization_id bigint references organization,
      -- what becomes of a member's comment; an article may say otherwise
      add column comment_mode text not null default 'approved' check (comment_mode in ('off', 'approved', 'open'));
    create index news_column_parent on news_column (parent_id);

    alter table article
      add column organization_id bigint references organization,
      -- whoever wrote it here; the name members read stands in author
      add column author_account_id bigint references account on delete set null,
      -- nothing: as its column says
      add column comment_mode text check (comment_mode in ('off', 'approved', 'open')),
      -- the site or paper it was taken from, as members read it; source and source_key are for importing
      add column source_name text not null default '',
      add column like_count integer not null default 0,
      -- comments that are shown
      add column comment_count integer not null default 0,
      -- the words of title, summary and text as segmented when it was written; nothing: still to be done by the job
      add column search tsvector,
      add column updated_at timestamptz not null default now();
    create index article_search on article using gin (search) where status = 'published';
    create index article_unsegmented on article (id) where search is null;
    create index article_organization on article (organization_id, published_at desc, id desc) where status = 'published';
    create index article_author on article (author_account_id) where author_account_id is not null;
    -- Counts change often, and a row that stays on its page needs no new entry in any index.
    alter table article set (fillfactor = 85);

    create table article_attachment (
      id bigint generated always as identity primary key,
      article_id bigint not null references article on delete cascade,
      file_id bigint not null references file,
      name text not null,
      position integer not null default 0,
      unique (article_id, file_id)
    );
    create index article_attachment_list on article_attachment (article_id, position, id);
    create index article_attachment_file on article_attachment (file_id);

    -- What a member said about a column: whether it is read, and where it stands. Nothing said: read, after the others.
    create table news_subscription (
      account_id bigint not null references account on delete cascade,
      column_id bigint not null references news_column on delete cascade,
      subscribed boolean not null,
      position integer not null,
      primary key (account_id, column_id)
    );

    create table article_like (
      article_id bigint not null references article on delete cascade,
      account_id bigint not null references account on delete cascade,
      created_at timestamptz not null default now(),
      primary key (article_id, account_id)
    );
    create index article_like_account on article_like (account_id);

    create table article_comment (
      id bigint generated always as identity primary key,
      article_id bigint not null references article on delete cascade,
      account_id bigint not null references account on delete cascade,
      content text not null,
      status text not null check (status in ('waiting', 'shown', 'refused')),
      created_at timestamptz not null default now(),
      decided_at timestamptz,
      decided_account_id bigint references account on delete set null,
      -- why it was refused, for whoever wrote it
      reason text not null default '',
      report_count integer not null default 0
    );
    create index article_comment_list on article_comment (article_id, created_at desc, id desc) where status = 'shown';
    create index article_comment_own on article_comment (account_id, article_id, created_at desc);
    create index article_comment_waiting on article_comment (created_at, id) where status = 'waiting';
    create index article_comment_reported on article_comment (created_at, id) where report_count > 0 and status = 'shown';

    create table article_comment_report (
      comment_id bigint not null references article_comment on delete cascade,
      account_id bigint not null references account on delete cascade,
      reason text not null default '',
      created_at timestamptz not null default now(),
      primary key (comment_id, account_id)
    );
    create index article_comment_report_account on article_comment_report (account_id);

    -- Both counts of an article are kept where the rows change, so that closing an account leaves them right as well.
    create function article_count_likes() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then update article set like_count = like_count + 1 where id = new.article_id;
      else update article set like_count = like_count - 1 where id = old.article_id;
      end if;
      return null;
    end $$;
    create trigger article_count_likes after insert or delete on article_like
      for each row execute function article_count_likes();

    create function article_count_comments() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' and old.status = 'shown' then
        update article set comment_count = comment_count - 1 where id = old.article_id;
      end if;
      if tg_op <> 'DELETE' and new.status = 'shown' then
        update article set comment_count = comment_count + 1 where id = new.article_id;
      end if;
      return null;
    end $$;
    create trigger article_count_comments after insert or delete or update of status on article_comment
      for each row execute function article_count_comments();

    create function article_comment_count_reports() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then update article_comment set report_count = report_count + 1 where id = new.comment_id;
      else update article_comment set report_count = report_count - 1 where id = old.comment_id;
      end if;
      return null;
    end $$;
    create trigger article_comment_count_reports after insert or delete on article_comment_report
      for each row execute function article_comment_count_reports();

    -- Who read an article today, as a digest that nobody can take back to a person: its salt is random and goes with the day.
    create table article_read_salt (
      day date primary key,
      salt bytea not null
    );
    create table article_reader (
      day date not null,
      article_id bigint not null references article on delete cascade,
      reader bytea not null,
      primary key (article_id, reader, day)
    );
    create index article_reader_day on article_reader (day);
    -- How often an article was read on a day: what the list of the most read is made of.
    create table article_read_day (
      day date not null,
      article_id bigint not null references article on delete cascade,
      reads integer not null,
      primary key (day, article_id)
    );
    create index article_read_day_article on article_read_day (article_id);

    -- A member's groups of message applications.
    create table message_app_group (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      name text not null,
      position integer not null
    );
    create unique index message_app_group_name on message_app_group (account_id, lower(name));
    create table message_app_in_group (
      account_id bigint not null references account on delete cascade,
      app_id bigint not null references message_app on delete cascade,
      group_id bigint not null references message_app_group on delete cascade,
      primary key (account_id, app_id)
    );
    create index message_app_in_group_group on message_app_in_group (group_id);
  `.execute(db)
}
