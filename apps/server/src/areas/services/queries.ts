import type { Service } from '@atrium/contract/services'
import { type Expression, sql } from 'kysely'
import { visibleTo } from '#platform/audience.ts'
import { type Db, prepared } from '#platform/db.ts'
import type { Viewer } from '#platform/guard.ts'
import { raiseTopic } from '#platform/topics.ts'
import type { Pictures } from '../images/pictures.ts'

/** Services this viewer may use: what every read of the catalogue starts from. */
const visible = (db: Db, viewer: Pick<Viewer, 'audiences'>) =>
  db
    .selectFrom('service')
    .leftJoin('organization', 'organization.id', 'service.organization_id')
    .leftJoin('file as icon', 'icon.id', 'service.icon_file_id')
    .where('service.online', '=', sql.lit(true))
    .where('service.online_at', '<=', sql<string>`now()`)
    .where(visibleTo(viewer, 'service.audience_id'))

const lineColumns = [
  'service.id',
  'service.service_no',
  'service.name',
  'service.name_en',
  'service.summary',
  'service.summary_en',
  'service.type_id',
  'organization.name as department',
  'organization.name_en as department_en',
  'service.glyph',
  'service.tone',
  'icon.id as icon_id',
  'icon.is_public as icon_public',
  'icon.media_type as icon_type',
  'service.kind',
  'service.tags',
  'service.recommended',
  'service.needs_vpn',
  'service.notice',
  'service.notice_en',
  'service.use_count',
] as const

/** Where the services of this viewer are, those of other systems. */
export const listAddresses = (db: Db, viewer: Viewer) =>
  visible(db, viewer)
    .select(['service.name', 'service.name_en as nameEn', 'service.url'])
    .where('service.url', 'like', 'http%')
    .execute()

type LineRow = Awaited<ReturnType<typeof selectLines>>[number]
const selectLines = (db: Db, viewer: Viewer) => visible(db, viewer).select(lineColumns).execute()

export const toService =
  (pictures: Pictures) =>
  (row: LineRow): Service => ({
    serviceId: row.id,
    serviceNo: row.service_no,
    serviceName: row.name,
    serviceNameEn: row.name_en,
    desc: row.summary,
    descEn: row.summary_en,
    typeId: row.type_id,
    departmentName: row.department ?? '',
    departmentNameEn: row.department_en ?? '',
    icon: { glyph: row.glyph, tone: row.tone as Service['icon']['tone'] },
    iconUrl: pictures.address('icon', {
      id: row.icon_id,
      is_public: row.icon_public,
      media_type: row.icon_type,
    }),
    serviceType: row.kind,
    tags: row.tags,
    recommended: row.recommended,
    needsVpn: row.needs_vpn,
    notice: row.notice,
    noticeEn: row.notice_en,
    useCount: row.use_count,
  })

/** Types with the number of services the viewer may use; types without any are left out, parents of others are not. */
export async function listTypes(db: Db, viewer: Viewer) {
  const rows = await db
    .selectFrom('service_type as type')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('service')
          .select(sql<number>`count(*)::integer`.as('count'))
          .whereRef('service.type_id', '=', 'type.id')
          .where('service.online', '=', sql.lit(true))
          .where('service.online_at', '<=', sql<string>`now()`)
          .where(visibleTo(viewer, 'service.audience_id'))
          .as('usable'),
      (join) => join.onTrue(),
    )
    .select([
      'type.id',
      'type.code',
      'type.name',
      'type.name_en as nameEn',
      'type.parent_id as parentId',
      'usable.count',
    ])
    .orderBy('type.position')
    .orderBy('type.id')
    .execute()
  const parents = new Set(rows.filter((row) => row.count).map((row) => row.parentId))
  return rows
    .filter((row) => row.count || parents.has(row.id))
    .map((row) => ({ ...row, count: row.count ?? 0 }))
}

type Filter = { typeId?: string | undefined; keyWords?: string | undefined }

type Page = {
  audiences: readonly number[]
  typeId?: string | undefined
  words?: string | undefined
  limit: number
  offset: number
}
const found = (db: Db, { audiences, typeId, words }: Omit<Page, 'limit' | 'offset'>) => {
  let query = visible(db, { audiences })
  if (typeId)
    query = query.where('service.type_id', 'in', (type) =>
      type
        .selectFrom('service_type')
        .select('service_type.id')
        .where((where) =>
          where.or([
            where('service_type.id', '=', typeId),
            where('service_type.parent_id', '=', typeId),
          ]),
        ),
    )
  if (words)
    query = query.where((where) =>
      where.or([
        where('service.name', 'ilike', words),
        where('service.name_en', 'ilike', words),
        where('service.summary', 'ilike', words),
        where('service.service_no', 'ilike', words),
        where('service.pinyin', 'like', words),
        where('service.initials', 'like', words),
        where(sql<string>`array_to_string(service.tags, ' ')`, 'ilike', words),
      ]),
    )
  return query
}
const selectPage = prepared((db, page: Page) =>
  found(db, page)
    .select(lineColumns)
    // The count comes from the same statement: a second one could disagree.
    .select(sql<number>`count(*) over ()::integer`.as('total'))
    .orderBy('service.recommended', 'desc')
    .orderBy('service.position')
    .orderBy('service.id')
    .limit(page.limit)
    .offset(page.offset),
)

/** A page of the catalogue and how many there are in all. */
export async function listServices(
  db: Db,
  viewer: Viewer,
  pictures: Pictures,
  filter: Filter,
  page: { offset: number; pageSize: number },
) {
  const { typeId, keyWords } = filter
  const words = keyWords?.trim() ? pattern(keyWords) : undefined
  const { audiences } = viewer
  const { pageSize: limit, offset } = page
  const rows = await selectPage(db, { audiences, typeId, words, limit, offset })
  // A page past the end has no row to carry the count.
  const total =
    rows[0]?.total ??
    (offset === 0
      ? 0
      : (
          await found(db, { audiences, typeId, words })
            .select(sql<number>`count(*)::integer`.as('total'))
            .executeTakeFirstOrThrow()
        ).total)
  return { total, list: rows.map(toService(pictures)) }
}

/** What somebody typed as a pattern for (i)like; its own wildcards mean themselves. */
const pattern = (words: string) =>
  `%${words
    .trim()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, '\\$&')}%`

export const findService = (db: Db, viewer: Viewer, id: string) =>
  visible(db, viewer)
    .select(lineColumns)
    .select(['service.url', 'service.contact', 'service.hours', 'service.online_at'])
    .where('service.id', '=', id)
    .executeTakeFirst()

/** The services used most over the whole institution, among those the viewer may use. */
export async function listCommon(db: Db, viewer: Viewer, pictures: Pictures, limit: number) {
  const rows = await visible(db, viewer)
    .select(lineColumns)
    .orderBy('service.use_count', 'desc')
    .orderBy('service.id')
    .limit(limit)
    .execute()
  return rows.map(toService(pictures))
}

/** These services in this order; those the viewer may not use are left out. */
export async function listByNumber(
  db: Db,
  viewer: Viewer,
  pictures: Pictures,
  numbers: readonly string[],
) {
  if (numbers.length === 0) return []
  const rows = await visible(db, viewer)
    .select(lineColumns)
    .where('service.service_no', '=', anyOf(numbers))
    .orderBy(sql`array_position(${numbers as string[]}::text[], service.service_no)`)
    .execute()
  return rows.map(toService(pictures))
}
const anyOf = (values: readonly string[]): Expression<string> =>
  sql<string>`any(${values as string[]}::text[])`

export async function listLastUsed(
  db: Db,
  viewer: Viewer & { signedIn: true },
  pictures: Pictures,
  limit: number,
) {
  const rows = await visible(db, viewer)
    .innerJoin('service_use', 'service_use.service_id', 'service.id')
    .select(lineColumns)
    .where('service_use.account_id', '=', viewer.accountId)
    .orderBy('service_use.last_used_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toService(pictures))
}

/** One more use. The counter of the catalogue is brought up to date by the job, not under the feet of every reader. */
export const recordUse = (db: Db, accountId: string, serviceId: string) =>
  db
    .insertInto('service_use')
    .values({ account_id: accountId, service_id: serviceId })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'service_id']).doUpdateSet({
        use_count: sql`service_use.use_count + 1`,
        last_used_at: sql`now()`,
      }),
    )
    .execute()

export async function listFavouriteIds(db: Db, accountId: string) {
  const rows = await db
    .selectFrom('service_favourite')
    .select('service_id')
    .where('account_id', '=', accountId)
    .orderBy('position')
    .orderBy('created_at', 'desc')
    .limit(500)
    .execute()
  return rows.map((row) => row.service_id)
}

export const insertFavourite = (db: Db, accountId: string, serviceId: string) =>
  db
    .insertInto('service_favourite')
    .values({ account_id: accountId, service_id: serviceId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const deleteFavourite = (db: Db, accountId: string, serviceId: string) =>
  db
    .deleteFrom('service_favourite')
    .where('account_id', '=', accountId)
    .where('service_id', '=', serviceId)
    .execute()

/** Brings the catalogue's use counters up to date; nothing is raised when nothing moved. */
export async function updateUseCounts(db: Db) {
  const { numUpdatedRows } = await db
    .updateTable('service')
    .from((query) =>
      query
        .selectFrom('service_use')
        .select(['service_id', sql<number>`sum(use_count)::integer`.as('uses')])
        .groupBy('service_id')
        .as('used'),
    )
    .set({ use_count: sql`used.uses` })
    .whereRef('used.service_id', '=', 'service.id')
    .where(sql<boolean>`service.use_count < used.uses`)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await raiseTopic(db, 'services')
}
