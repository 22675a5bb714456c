import { sql } from 'kysely'
import { listGrants } from '#domains/identity/operators/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'

/** Accounts that may write in a column, and whether each is a named reviewer. */
export async function listReviewers(db: Db, columnId: string) {
  const column = await db
    .selectFrom('news_column')
    .leftJoin('organization', 'organization.id', 'news_column.organization_id')
    .select('organization.path')
    .where('news_column.id', '=', columnId)
    .executeTakeFirst()
  const reviewers = await db
    .selectFrom('news_column_reviewer')
    .select('account_id')
    .where('column_id', '=', columnId)
    .execute()
  const reviewerIds = new Set(reviewers.map((row) => row.account_id))
  const byAccount = new Map(
    (await listGrants(db))
      .filter(
        ({ permissions, organizationCode }) =>
          permissions.includes('content') &&
          (organizationCode === null || column?.path?.includes(organizationCode)),
      )
      .map((grant) => [grant.accountId, grant] as const),
  )
  return [...byAccount.values()].slice(0, 200).map(({ accountId, username, name, nameEn }) => ({
    accountId,
    username,
    name,
    nameEn,
    chosen: reviewerIds.has(accountId),
  }))
}

/** @throws request.invalid if an account may not write in the column */
export async function replaceReviewers(db: Db, columnId: string, usernames: readonly string[]) {
  const accounts = new Map(
    (await listReviewers(db, columnId)).map((one) => [one.username, one.accountId] as const),
  )
  const ids = usernames.map(
    (username, index) =>
      accounts.get(username) ??
      fail('request.invalid', { fields: { [`usernames.${index}`]: 'unknown' } }),
  )
  await db.deleteFrom('news_column_reviewer').where('column_id', '=', columnId).execute()
  if (ids.length > 0)
    await sql`
      insert into news_column_reviewer (column_id, account_id)
      select ${columnId}::bigint, unnest(${ids}::bigint[])`.execute(db)
}
