import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The department whose operators look after a public calendar; null: nobody here does.
    alter table calendar
      add column organization_id bigint references organization on delete set null,
      add column revision integer not null default 1;
    create index calendar_organization on calendar (organization_id) where organization_id is not null;
  `.execute(db)
}
