import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Buildings, gates and stops of the institution. WGS 84.
    create table place (
      id bigint primary key generated always as identity,
      code text not null unique,
      kind text not null,
      name text not null,
      name_en text not null default '',
      address text not null default '',
      address_en text not null default '',
      latitude double precision not null check (latitude between -90 and 90),
      longitude double precision not null check (longitude between -180 and 180),
      position integer not null default 0
    );
  `.execute(db)
}
