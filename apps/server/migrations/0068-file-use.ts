import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Rules of an audience never change, so neither does whether visitors are in it.
    alter table audience add column for_guests boolean not null generated always as (
      rules @> '[{"effect": "include", "kind": "guests"}]' and not rules @> '[{"effect": "exclude", "kind": "guests"}]'
    ) stored;

    -- Files that a text names by their address, which no foreign key could see. A row says that whoever wrote the text was
    -- free to show the file: a number typed by chance opens nothing.
    create table file_use (
      id bigint generated always as identity primary key,
      file_id bigint not null references file,
      launch_item_id bigint references launch_item on delete cascade,
      notice_id bigint references notice on delete cascade,
      config_key text references config_value on delete cascade,
      article_id bigint references article on delete cascade,
      article_version integer,
      foreign key (article_id, article_version) references article_version on delete cascade,
      check (num_nonnulls(launch_item_id, notice_id, config_key, article_id) = 1),
      check ((article_id is null) = (article_version is null))
    );
    create index file_use_file on file_use (file_id);
    create index file_use_launch_item on file_use (launch_item_id) where launch_item_id is not null;
    create index file_use_notice on file_use (notice_id) where notice_id is not null;
    create index file_use_config on file_use (config_key) where config_key is not null;
    create index file_use_article on file_use (article_id, article_version) where article_id is not null;

    create index service_icon_file on service (icon_file_id) where icon_file_id is not null;
    create index service_card_file on service (card_file_id) where card_file_id is not null;
    create index service_guide_attachment_file on service_guide_attachment (file_id);
    create index article_image_file on article (image_file_id) where image_file_id is not null;

    -- Texts are kept with their picture and attachments from now on; those before had what the article has.
    update article_version version set content = version.content || jsonb_build_object(
      'titleImageFileId', article.image_file_id::text,
      'attachments', coalesce((
        select jsonb_agg(jsonb_build_object('name', attachment.name, 'fileId', attachment.file_id::text) order by attachment.position, attachment.id)
        from article_attachment attachment where attachment.article_id = article.id), '[]'))
    from article where article.id = version.article_id;
    insert into file_use (file_id, article_id, article_version)
    select article.image_file_id, version.article_id, version.number
    from article_version version join article on article.id = version.article_id where article.image_file_id is not null
    union
    select attachment.file_id, version.article_id, version.number
    from article_version version join article_attachment attachment on attachment.article_id = version.article_id;

    -- Files that visitors may see now, by what uses them. Read from what uses them, and so never behind it: what is hidden,
    -- withdrawn or not due yet publishes nothing.
    create view file_shown_to_guests as
      select used.file_id
      from (
        select icon_file_id as file_id, id as service_id from service
        union all select card_file_id, id from service
        union all select file_id, service_id from service_guide_attachment
      ) used
      join service on service.id = used.service_id and service.online and service.online_at <= now()
        and (service.valid_from is null or service.valid_from <= now())
        and (service.valid_until is null or service.valid_until > now())
      join audience on audience.id = service.audience_id and audience.for_guests
      union all
      select used.file_id
      from (
        select image_file_id as file_id, id as article_id from article
        union all select file_id, article_id from article_attachment
        union all
        select named.file_id, named.article_id
        from file_use named
        join article_work work on work.article_id = named.article_id and work.live_version = named.article_version
      ) used
      join article on article.id = used.article_id and article.status = 'published' and article.published_at <= now()
      join news_column on news_column.id = article.column_id
      join audience on audience.id = news_column.audience_id and audience.for_guests
      union all
      select used.file_id
      from file_use used
      join launch_item on launch_item.id = used.launch_item_id and launch_item.online
      join audience on audience.id = launch_item.audience_id and audience.for_guests
      union all
      select used.file_id
      from file_use used
      join notice on notice.id = used.notice_id and notice.starts_at <= now() and notice.ends_at > now()
      join audience on audience.id = notice.audience_id and audience.for_guests
      union all
      -- Everybody is told the configuration before signing in.
      select file_id from file_use where config_key is not null;
  `.execute(db)
}
