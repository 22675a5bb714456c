import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    create table service_type (
      id bigint generated always as identity primary key,
      code text not null unique,
      name text not null,
      name_en text not null,
      parent_id bigint references service_type,
      position integer not null default 0
    );

    create table service (
      id bigint generated always as identity primary key,
      service_no text not null unique,
      name text not null,
      name_en text not null default '',
      summary text not null default '',
      summary_en text not null default '',
      -- full pinyin and initials of the name, lower case, for finding it by typing latin letters
      pinyin text not null default '',
      initials text not null default '',
      type_id bigint not null references service_type,
      organization_id bigint references organization,
      url text not null,
      glyph text not null default 'grid',
      tone text not null default 'blue',
      icon_file_id bigint references file,
      kind text not null default '' check (kind in ('', 'remote')),
      tags text[] not null default '{}',
      contact text not null default '',
      hours text not null default '',
      needs_vpn boolean not null default false,
      recommended boolean not null default false,
      notice text not null default '',
      notice_en text not null default '',
      audience_id integer not null references audience,
      position integer not null default 0,
      online boolean not null default true,
      online_at timestamptz not null default now(),
      use_count integer not null default 0
    );
    create index service_type_position on service (type_id, position, id) where online;

    create table service_use (
      account_id bigint not null references account on delete cascade,
      service_id bigint not null references service on delete cascade,
      use_count integer not null default 1,
      last_used_at timestamptz not null default now(),
      primary key (account_id, service_id)
    );
    create index service_use_recent on service_use (account_id, last_used_at desc);

    create table service_favourite (
      account_id bigint not null references account on delete cascade,
      service_id bigint not null references service on delete cascade,
      position integer not null default 0,
      created_at timestamptz not null default now(),
      primary key (account_id, service_id)
    );
  `.execute(db)
}
