import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    create table organization_head (
      organization_id bigint not null references organization on delete cascade,
      account_id bigint not null references account on delete cascade,
      primary key (organization_id, account_id)
    );
    create index organization_head_account on organization_head (account_id);
  `.execute(db)
}
