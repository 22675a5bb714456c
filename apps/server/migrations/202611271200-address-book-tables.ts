import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What somebody is in their organisation, and where they sit: of the post, not of the person.
    create table address_book_post (
      account_id bigint primary key references account on delete cascade,
      title text not null default '',
      title_en text not null default '',
      office_phone text not null default '',
      office text not null default '',
      office_en text not null default '',
      position integer not null default 9999
    );

    create table address_book_favourite (
      account_id bigint not null references account on delete cascade,
      favourite_account_id bigint not null references account on delete cascade,
      created_at timestamptz not null default now(),
      primary key (account_id, favourite_account_id)
    );
    create index address_book_favourite_of on address_book_favourite (favourite_account_id);

    -- How much somebody has looked up within this minute and this day. Unlogged: it is written with each look, and a crash may
    -- forget it.
    create unlogged table address_book_use (
      account_id bigint primary key references account on delete cascade,
      minute timestamptz not null default now(),
      in_minute integer not null default 1,
      day timestamptz not null default now(),
      in_day integer not null default 0
    );
  `.execute(db)
}
