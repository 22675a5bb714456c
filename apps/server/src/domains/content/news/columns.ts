import type { OwnColumn } from '@atrium/contract/content/news'
import { sql } from 'kysely'
import { visibleTo } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'

/**
 * The columns a member may read: those they arranged, in their order, followed by the others in the institution's
 * order. The latter count as subscribed, so that new columns are seen.
 */
export const listOwnColumns = (db: Db, viewer: Member): Promise<OwnColumn[]> =>
  db
    .selectFrom('news_column')
    .leftJoin('news_subscription as own', (join) =>
      join
        .onRef('own.column_id', '=', 'news_column.id')
        .on('own.account_id', '=', viewer.accountId),
    )
    .select([
      'news_column.id',
      'news_column.code as columnCode',
      'news_column.name',
      'news_column.name_en as nameEn',
      'news_column.parent_id as parentId',
      sql<boolean>`coalesce(own.subscribed, true)`.as('subscribed'),
    ])
    .where(visibleTo(viewer, 'news_column.audience_id'))
    .orderBy(sql`own.position nulls last`)
    .orderBy('news_column.position')
    .orderBy('news_column.id')
    .execute()

/** Stores an arrangement. @returns false, without storing anything, if a column is not visible to the member */
export async function arrangeColumns(
  db: Db,
  viewer: Member,
  columns: readonly { id: string; subscribed: boolean }[],
): Promise<boolean> {
  const ids = columns.map(({ id }) => id)
  const visible = await db
    .selectFrom('news_column')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::bigint[])`)
    .where(visibleTo(viewer))
    .execute()
  if (visible.length !== new Set(ids).size) return false
  // Columns not named keep their settings and move behind these.
  await sql`
    update news_subscription set position = position + ${ids.length}
    where account_id = ${viewer.accountId}::bigint and column_id <> all(${ids}::bigint[])`.execute(
    db,
  )
  await sql`
    insert into news_subscription (account_id, column_id, subscribed, position)
    select distinct on (input.id) ${viewer.accountId}::bigint, input.id, input.subscribed, input.position
    from unnest(${ids}::bigint[], ${columns.map(({ subscribed }) => subscribed)}::boolean[])
      with ordinality as input (id, subscribed, position)
    order by input.id, input.position
    on conflict (account_id, column_id) do update set subscribed = excluded.subscribed, position = excluded.position`.execute(
    db,
  )
  return true
}
