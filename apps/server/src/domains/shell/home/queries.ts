import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { MemberArrangement } from './rules.ts'

export const findArrangement = (
  db: Db,
  accountId: string,
): Promise<MemberArrangement | undefined> =>
  db
    .selectFrom('home_arrangement')
    .select(['blocks', 'hidden'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()

export async function setArrangement(
  db: Db,
  accountId: string,
  { blocks, hidden }: MemberArrangement,
) {
  const values = { blocks: [...blocks], hidden: [...hidden], updated_at: sql<string>`now()` }
  await db
    .insertInto('home_arrangement')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute()
}

export const deleteArrangement = (db: Db, accountId: string) =>
  db.deleteFrom('home_arrangement').where('account_id', '=', accountId).execute()
