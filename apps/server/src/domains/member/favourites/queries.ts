import type {
  FavouriteArticle,
  FavouriteFile,
  FavouriteService,
} from '@atrium/contract/member/favourites'
import { sql } from 'kysely'
import {
  summaryColumns as articleColumns,
  toSummary,
  visibleArticles,
} from '#domains/content/news/queries.ts'
import {
  summaryColumns as serviceColumns,
  toService,
  visible as visibleServices,
} from '#domains/services/services/queries.ts'
import { visibleTo } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { cursorShapes, hybridPage, hybridPageOf, pattern } from '#platform/http/paging.ts'
import type { Pictures } from '#platform/images/pictures.ts'

export const maxFavourites = 10_000

export type FavouriteKind = 'service' | 'news' | 'file'
export const tables = {
  service: { table: 'service_favourite', key: 'service_id' },
  news: { table: 'article_favourite', key: 'article_id' },
  file: { table: 'file_favourite', key: 'id' },
} as const
type ListQuery = { pageNo?: number; pageSize?: number; cursor?: string; keyWords?: string }

/** Serialises changes of a member's favourites from several devices. */
export const lockFavourites = (db: Db, accountId: string) =>
  sql`select from account where id = ${accountId} for no key update`.execute(db)

/** A position before all others, because new favourites come first. @throws favourite.too_many */
async function firstPosition(db: Db, accountId: string, kind: FavouriteKind): Promise<number> {
  const { rows } = await sql<{ first: number; count: number }>`
    select coalesce(min(position), 1) - 1 as first, count(*)::integer as count
    from ${sql.table(tables[kind].table)} where account_id = ${accountId}`.execute(db)
  const { first, count } = rows[0] as { first: number; count: number }
  return count < maxFavourites ? first : fail('favourite.too_many')
}

type FavouriteTable = 'service_favourite' | 'article_favourite' | 'article_visit'

/**
 * Number of stored items that are hidden, because they were withdrawn or the member may no longer see them. Only
 * included in the first page of the unfiltered list.
 */
export async function countHidden(
  db: Db,
  accountId: string,
  table: FavouriteTable,
  query: ListQuery,
  shown: number,
) {
  if (query.cursor || (query.pageNo ?? 1) > 1 || query.keyWords?.trim()) return {}
  const { rows } = await sql<{ kept: number }>`
    select count(*)::integer as kept from ${sql.table(table)} where account_id = ${accountId}`.execute(
    db,
  )
  return { hidden: Math.max(0, (rows[0]?.kept ?? 0) - shown) }
}

const positionShape = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/

// ---- services ----

type Place = {
  service_id: string
  managed: boolean
  position: number
  created_at: string | null
  organization_id: string | null
}
/**
 * A member's favourites and those placed by departments; the latter come first, in the institution's order. A service
 * in both counts as the member's own; one the member has removed is hidden for all departments.
 */
const places = ({ accountId, audiences }: Pick<Member, 'accountId' | 'audiences'>) =>
  sql<Place>`(
    select service_id, false as managed, position, created_at, null::bigint as organization_id
    from service_favourite where account_id = ${accountId}
    union all
    (select distinct on (p.service_id) p.service_id, true, p.position, null, p.organization_id from service_placement p
    where ${visibleTo({ audiences }, 'p.audience_id')}
      and not exists (select from service_favourite f where f.account_id = ${accountId} and f.service_id = p.service_id)
      and not exists (select from service_placement_cancel c where c.account_id = ${accountId} and c.service_id = p.service_id)
    order by p.service_id, p.position, p.id)
  )`.as<'place'>('place')

export async function listServiceIds(db: Db, viewer: Member) {
  const rows = await visibleServices(db, viewer)
    .innerJoin(places(viewer), (join) => join.onRef('place.service_id', '=', 'service.id'))
    .select('place.service_id')
    .orderBy('place.managed', 'desc')
    .orderBy('place.position')
    .orderBy('place.service_id')
    .limit(maxFavourites)
    .execute()
  return rows.map((row) => row.service_id)
}

export async function listServices(
  db: Db,
  viewer: Member,
  pictures: Pictures,
  query: ListQuery & { type?: string },
) {
  const turn = hybridPageOf(query, [cursorShapes.flag, positionShape, cursorShapes.id])
  let found = visibleServices(db, viewer).innerJoin(places(viewer), (join) =>
    join.onRef('place.service_id', '=', 'service.id'),
  )
  if (query.type) found = found.where('service.type_id', '=', query.type)
  if (query.keyWords?.trim()) {
    const words = pattern(query.keyWords)
    found = found.where((where) =>
      where.or([
        where('service.name', 'ilike', words),
        where('service.name_en', 'ilike', words),
        where('service.pinyin', 'like', words),
        where('service.initials', 'like', words),
      ]),
    )
  }
  let page = found
    .leftJoin('organization as manager', 'manager.id', 'place.organization_id')
    .select(serviceColumns)
    .select([
      'place.managed',
      'place.position',
      'place.created_at',
      'manager.name as manager',
      'manager.name_en as manager_en',
    ])
  if (turn.after) {
    const [managed, position, id] = turn.after
    page = page.where(
      sql<boolean>`(not place.managed, place.position, service.id) > (not ${managed}::boolean, ${position}::double precision, ${id}::bigint)`,
    )
  }
  const [{ total, own }, rows] = await Promise.all([
    found
      .select([
        sql<number>`count(*)::integer`.as('total'),
        sql<number>`(count(*) filter (where not place.managed))::integer`.as('own'),
      ])
      .executeTakeFirstOrThrow(),
    page
      .orderBy('place.managed', 'desc')
      .orderBy('place.position')
      .orderBy('service.id')
      .limit(turn.limit)
      .offset(turn.offset)
      .execute(),
  ])
  const line = toService(pictures)
  return {
    ...(query.type ? {} : await countHidden(db, viewer.accountId, 'service_favourite', query, own)),
    ...hybridPage(
      turn,
      total,
      rows,
      (row) => [row.managed, row.position, row.id],
      (row): FavouriteService => ({
        ...line(row),
        managed: row.managed,
        managedBy: row.manager ?? '',
        managedByEn: row.manager_en ?? '',
        favouriteAt: row.created_at,
      }),
    ),
  }
}

/**
 * Restores a service the member removed from a department's list to its place; any other becomes the member's own
 * favourite.
 */
export async function insertService(db: Db, viewer: Member, serviceId: string) {
  const { accountId } = viewer
  await lockFavourites(db, accountId)
  const restored = await db
    .deleteFrom('service_placement_cancel as cancel')
    .using('service_placement as placement')
    .whereRef('placement.service_id', '=', 'cancel.service_id')
    .where('cancel.account_id', '=', accountId)
    .where('cancel.service_id', '=', serviceId)
    .where(visibleTo(viewer, 'placement.audience_id'))
    .returning('cancel.service_id')
    .executeTakeFirst()
  if (restored || (await isManaged(db, viewer, serviceId))) return
  if (await isOwnService(db, accountId, serviceId)) return
  const position = await firstPosition(db, accountId, 'service')
  await db
    .insertInto('service_favourite')
    .values({ account_id: accountId, service_id: serviceId, position })
    .execute()
}

const isOwnService = async (db: Db, accountId: string, serviceId: string) =>
  (await db
    .selectFrom('service_favourite')
    .select('service_id')
    .where('account_id', '=', accountId)
    .where('service_id', '=', serviceId)
    .executeTakeFirst()) !== undefined

const isManaged = async (db: Db, viewer: Member, serviceId: string) =>
  (await db
    .selectFrom('service_placement')
    .select('service_id')
    .where('service_id', '=', serviceId)
    .where(visibleTo(viewer))
    .executeTakeFirst()) !== undefined

/** Removes a favourite, whether the member or a department added it. */
export async function deleteService(db: Db, viewer: Member, serviceId: string) {
  await lockFavourites(db, viewer.accountId)
  await db
    .deleteFrom('service_favourite')
    .where('account_id', '=', viewer.accountId)
    .where('service_id', '=', serviceId)
    .execute()
  await cancelManaged(db, viewer, serviceId)
}

/** @returns whether a department had placed it */
export async function cancelManaged(db: Db, viewer: Member, serviceId: string) {
  if (!(await isManaged(db, viewer, serviceId))) return false
  await db
    .insertInto('service_placement_cancel')
    .values({ account_id: viewer.accountId, service_id: serviceId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}

// ---- articles ----

export async function listArticles(db: Db, viewer: Member, pictures: Pictures, query: ListQuery) {
  const turn = hybridPageOf(query, [positionShape, cursorShapes.id])
  let found = visibleArticles(db, viewer)
    .innerJoin('article_favourite as favourite', 'favourite.article_id', 'article.id')
    .where('favourite.account_id', '=', viewer.accountId)
  if (query.keyWords?.trim()) {
    const words = pattern(query.keyWords)
    found = found.where((where) =>
      where.or([
        where('article.title', 'ilike', words),
        where('article.title_en', 'ilike', words),
        where('article.department', 'ilike', words),
      ]),
    )
  }
  let page = found.select(articleColumns).select(['favourite.position', 'favourite.created_at'])
  if (turn.after) {
    const [position, id] = turn.after
    page = page.where(
      sql<boolean>`(favourite.position, article.id) > (${position}::double precision, ${id}::bigint)`,
    )
  }
  const [{ total }, rows] = await Promise.all([
    found.select(sql<number>`count(*)::integer`.as('total')).executeTakeFirstOrThrow(),
    page
      .orderBy('favourite.position')
      .orderBy('article.id')
      .limit(turn.limit)
      .offset(turn.offset)
      .execute(),
  ])
  const line = toSummary(pictures)
  return {
    ...(await countHidden(db, viewer.accountId, 'article_favourite', query, total)),
    ...hybridPage(
      turn,
      total,
      rows,
      (row) => [row.position, row.id],
      (row): FavouriteArticle => ({ ...line(row), favouriteAt: row.created_at }),
    ),
  }
}

/** The id of an article the viewer may read. */
export const findArticleId = (db: Db, viewer: Member, id: string) =>
  visibleArticles(db, viewer).select('article.id').where('article.id', '=', id).executeTakeFirst()

export async function insertArticle(db: Db, accountId: string, articleId: string) {
  await lockFavourites(db, accountId)
  if (await findFavouriteArticle(db, accountId, articleId)) return
  const position = await firstPosition(db, accountId, 'news')
  await db
    .insertInto('article_favourite')
    .values({ account_id: accountId, article_id: articleId, position })
    .execute()
}

export const deleteArticle = (db: Db, accountId: string, articleId: string) =>
  db
    .deleteFrom('article_favourite')
    .where('account_id', '=', accountId)
    .where('article_id', '=', articleId)
    .execute()

export const findFavouriteArticle = (db: Db, accountId: string, articleId: string) =>
  db
    .selectFrom('article_favourite')
    .select('article_id')
    .where('account_id', '=', accountId)
    .where('article_id', '=', articleId)
    .executeTakeFirst()

// ---- files ----

export async function listFiles(db: Db, viewer: Member, query: ListQuery) {
  const turn = hybridPageOf(query, [positionShape, cursorShapes.id])
  let found = db.selectFrom('file_favourite').where('account_id', '=', viewer.accountId)
  if (query.keyWords?.trim()) found = found.where('file_name', 'ilike', pattern(query.keyWords))
  let page = found.select(['id', 'file_link', 'file_name', 'position', 'created_at'])
  if (turn.after) {
    const [position, id] = turn.after
    page = page.where(sql<boolean>`(position, id) > (${position}::double precision, ${id}::bigint)`)
  }
  const [{ total }, rows] = await Promise.all([
    found.select(sql<number>`count(*)::integer`.as('total')).executeTakeFirstOrThrow(),
    page.orderBy('position').orderBy('id').limit(turn.limit).offset(turn.offset).execute(),
  ])
  return hybridPage(
    turn,
    total,
    rows,
    (row) => [row.position, row.id],
    (row): FavouriteFile => ({
      id: row.id,
      fileLink: row.file_link,
      fileName: row.file_name,
      favouriteAt: row.created_at,
    }),
  )
}

export async function listFileLinks(db: Db, accountId: string) {
  const rows = await db
    .selectFrom('file_favourite')
    .select('file_link')
    .where('account_id', '=', accountId)
    .where('file_link', 'like', '/files/%')
    .orderBy('position')
    .limit(maxFavourites)
    .execute()
  return rows.map((row) => row.file_link)
}

/** A file this member can still read when the signed address expires: public, or the member's own. */
export const isPermanentlyReadable = async (db: Db, accountId: string, id: string) =>
  (await db
    .selectFrom('file')
    .leftJoin('file_owner', 'file_owner.file_id', 'file.id')
    .select('file.id')
    .where('file.id', '=', id)
    .where((where) =>
      where.or([where('is_public', '=', true), where('file_owner.account_id', '=', accountId)]),
    )
    .executeTakeFirst()) !== undefined

/** Adds a file, or renames it if it is already in the list. @throws favourite.too_many */
export async function saveFile(db: Db, accountId: string, link: string, name: string) {
  await lockFavourites(db, accountId)
  const { numUpdatedRows } = await db
    .updateTable('file_favourite')
    .set({ file_name: name })
    .where('account_id', '=', accountId)
    .where('file_link', '=', link)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const position = await firstPosition(db, accountId, 'file')
  await db
    .insertInto('file_favourite')
    .values({ account_id: accountId, file_link: link, file_name: name, position })
    .execute()
}

export const deleteFile = (db: Db, accountId: string, link: string) =>
  db
    .deleteFrom('file_favourite')
    .where('account_id', '=', accountId)
    .where('file_link', '=', link)
    .execute()

export const findFavouriteFile = (db: Db, accountId: string, link: string) =>
  db
    .selectFrom('file_favourite')
    .select('id')
    .where('account_id', '=', accountId)
    .where('file_link', '=', link)
    .executeTakeFirst()
