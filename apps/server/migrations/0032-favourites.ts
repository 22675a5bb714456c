import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- A place between two others has to exist: moving one favourite writes one row.
    alter table service_favourite alter column position type double precision;
    update service_favourite f set position = n.position from (
      select account_id, service_id, row_number() over (
        partition by account_id order by position, created_at desc, service_id) as position
      from service_favourite) n
    where n.account_id = f.account_id and n.service_id = f.service_id;
    alter table service_favourite alter column position drop default;
    create index service_favourite_order on service_favourite (account_id, position, service_id);
    create index service_favourite_service on service_favourite (service_id);

    create table article_favourite (
      account_id bigint not null references account on delete cascade,
      article_id bigint not null references article on delete cascade,
      position double precision not null,
      created_at timestamptz not null default now(),
      primary key (account_id, article_id)
    );
    create index article_favourite_order on article_favourite (account_id, position, article_id);
    create index article_favourite_article on article_favourite (article_id);

    create table file_favourite (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      file_link text not null,
      file_name text not null,
      position double precision not null,
      created_at timestamptz not null default now(),
      unique (account_id, file_link)
    );
    create index file_favourite_order on file_favourite (account_id, position, id);

    -- Services that a department puts among the favourites of its members, and who has taken one off again.
    create table service_placement (
      service_id bigint primary key references service on delete cascade,
      organization_id bigint references organization,
      audience_id integer not null references audience,
      position integer not null default 0
    );
    create table service_placement_cancel (
      account_id bigint not null references account on delete cascade,
      service_id bigint not null references service_placement on delete cascade,
      created_at timestamptz not null default now(),
      primary key (account_id, service_id)
    );
    create index service_placement_cancel_service on service_placement_cancel (service_id);

    -- What a member has read, each article once, at the last time.
    create table article_visit (
      account_id bigint not null references account on delete cascade,
      article_id bigint not null references article on delete cascade,
      visited_at timestamptz not null default now(),
      primary key (account_id, article_id)
    );
    create index article_visit_recent on article_visit (account_id, visited_at desc, article_id desc);
    create index article_visit_article on article_visit (article_id);

    -- Services that belong together under a theme, whatever their types.
    create table service_aggregation (
      id bigint generated always as identity primary key,
      code text not null unique,
      name text not null,
      name_en text not null default '',
      summary text not null default '',
      summary_en text not null default '',
      glyph text not null default 'grid',
      tone text not null default 'blue',
      audience_id integer not null references audience,
      position integer not null default 0,
      online boolean not null default true
    );
    create table service_aggregation_member (
      aggregation_id bigint not null references service_aggregation on delete cascade,
      service_id bigint not null references service on delete cascade,
      position integer not null default 0,
      primary key (aggregation_id, service_id)
    );
    create index service_aggregation_member_service on service_aggregation_member (service_id);
  `.execute(db)
}
