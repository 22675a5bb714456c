import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Pages within a service that are found by themselves.
    create table service_page (
      id bigint generated always as identity primary key,
      service_id bigint not null references service on delete cascade,
      name text not null,
      name_en text not null default '',
      words text[] not null default '{}',
      -- with {keyWords} where it takes what somebody looks for, and what that is called
      url text not null,
      field_name text not null default '',
      field_name_en text not null default '',
      version integer not null default 1
    );
    create index service_page_of on service_page (service_id, id);
  `.execute(db)
}
