import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table task_source
      -- a system that is polled makes no calls of its own
      alter column relying_party_id drop not null,
      -- describes how a system that cannot push is asked for its tasks; null: it pushes
      add column connector jsonb,
      add column sealed_connector_secret text,
      -- of the list in one piece that was read last and left nothing open
      add column list_etag text,
      add column list_read_at timestamptz,
      -- comparisons in a row that failed
      add column compare_failures integer not null default 0,
      -- a node compares it now; one that dies meanwhile leaves it to another after this
      add column compare_claimed_until timestamptz;
  `.execute(db)
}
