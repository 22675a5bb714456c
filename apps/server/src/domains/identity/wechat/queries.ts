import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

export type Kind = 'access_token' | 'jsapi_ticket'

/** An unexpired credential, encrypted. */
export async function findCredential(db: Db, appId: string, kind: Kind) {
  const row = await db
    .selectFrom('wechat_credential')
    .select('sealed_value')
    .where('app_id', '=', appId)
    .where('kind', '=', kind)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return row?.sealed_value
}

export async function upsertCredential(
  db: Db,
  appId: string,
  kind: Kind,
  sealed: string,
  seconds: number,
) {
  const values = {
    sealed_value: sealed,
    expires_at: sql<string>`now() + make_interval(secs => ${seconds})`,
  }
  await db
    .insertInto('wechat_credential')
    .values({ app_id: appId, kind, ...values })
    .onConflict((conflict) => conflict.columns(['app_id', 'kind']).doUpdateSet(values))
    .execute()
}
