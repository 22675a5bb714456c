import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What the OpenID provider keeps: codes, tokens, grants, its side of a session. A key is kept as its hash alone.
    create table openid_entry (
      model text not null,
      key_hash text not null,
      payload jsonb not null,
      account_id bigint references account on delete cascade,
      grant_id text,
      uid text,
      consumed_at timestamptz,
      expires_at timestamptz not null,
      primary key (model, key_hash)
    );
    create index openid_entry_grant on openid_entry (grant_id) where grant_id is not null;
    create index openid_entry_uid on openid_entry (model, uid) where uid is not null;
    create index openid_entry_account on openid_entry (account_id) where account_id is not null;
    create index openid_entry_expires on openid_entry (expires_at);
  `.execute(db)
}
