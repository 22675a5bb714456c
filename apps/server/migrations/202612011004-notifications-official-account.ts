import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table identity_provider drop constraint identity_provider_kind_check;
    alter table identity_provider add constraint identity_provider_kind_check
      check (kind in ('cas', 'openid', 'wechat-mini', 'wechat-mp', 'wecom'));
  `.execute(db)
}
