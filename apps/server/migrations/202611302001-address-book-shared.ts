import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Whoever sends in this department may use the group as a list of recipients; null: its owner alone.
    alter table address_book_group
      add column shared_organization_id bigint references organization on delete set null;
    create index address_book_group_shared on address_book_group (shared_organization_id)
      where shared_organization_id is not null;
  `.execute(db)
}
