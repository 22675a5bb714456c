import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Whether the member stands in the address book; null: as the institution says.
    alter table privacy_setting add column listed boolean;
    create index privacy_setting_unlisted on privacy_setting (account_id) where listed is not null;
  `.execute(db)
}
