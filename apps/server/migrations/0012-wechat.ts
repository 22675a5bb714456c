import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Access token and tickets of the WeChat account, shared by all nodes: a new one may end the one before.
    create table wechat_credential (
      app_id text not null,
      kind text not null check (kind in ('access_token', 'jsapi_ticket')),
      sealed_value text not null,
      expires_at timestamptz not null,
      primary key (app_id, kind)
    );
  `.execute(db)
}
