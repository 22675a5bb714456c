import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Which accounts are operators, and of what. Identity types grant nothing.
    create table operator_grant (
      account_id bigint not null references account on delete cascade,
      permission text not null check (permission in ('content', 'services', 'messages', 'identity', 'system')),
      granted_at timestamptz not null default now(),
      primary key (account_id, permission)
    );
  `.execute(db)
}
