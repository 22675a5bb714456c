import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- People whom a member has put together under a name; nobody else sees them.
    create table address_book_group (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      name text not null,
      created_at timestamptz not null default now()
    );
    create unique index address_book_group_name on address_book_group (account_id, lower(name));

    create table address_book_group_member (
      group_id bigint not null references address_book_group on delete cascade,
      member_account_id bigint not null references account on delete cascade,
      created_at timestamptz not null default now(),
      primary key (group_id, member_account_id)
    );
    create index address_book_group_member_of on address_book_group_member (member_account_id);
  `.execute(db)
}
