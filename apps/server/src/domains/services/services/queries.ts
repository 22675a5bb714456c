import type { Service, ServiceDepartment } from '@atrium/contract/services/services'
import { type Expression, sql } from 'kysely'
import { type Db, prepared } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { PictureFile, Pictures } from '#platform/images/pictures.ts'
import { forGuests } from '#platform/storage/file-use.ts'
import { outageOf } from './outage.ts'
import type { SearchQuery } from './search.ts'
import { onTerminals, usableBy } from './visibility.ts'

/** Services this viewer may use; the basis of every read of the catalogue. */
export function visible(
  db: Db,
  viewer: Pick<Viewer, 'audiences'>,
  terminals?: readonly string[] | undefined,
) {
  const usable = db
    .selectFrom('service')
    .leftJoin('organization', 'organization.id', 'service.organization_id')
    .leftJoin('file as icon', 'icon.id', 'service.icon_file_id')
    .where(usableBy(viewer))
  return terminals ? usable.where(onTerminals(terminals)) : usable
}

/** Whether a file of a visible service needs no signature: it is public, or guests may see the service. */
const isVisibleToAll = (file: 'icon' | 'card') =>
  sql<boolean>`(${sql.ref(`${file}.is_public`)} or ${forGuests('service.audience_id')})`

export const summaryColumns = [
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
  isVisibleToAll('icon').as('icon_public'),
  'icon.media_type as icon_type',
  'service.kind',
  'service.tags',
  'service.recommended',
  'service.needs_vpn',
  'service.notice',
  'service.notice_en',
  'service.use_count',
  outageOf,
  'service.marks',
  'service.force_recommended',
  'service.have_guide',
] as const

/** Names and external addresses of the services visible to this viewer. */
export const listAddresses = (db: Db, viewer: Viewer) =>
  visible(db, viewer)
    .select(['service.name', 'service.name_en as nameEn', 'service.url', 'service.token_accept'])
    .where('service.url', 'like', 'http%')
    .execute()

type SummaryRow = Awaited<ReturnType<typeof selectSummaries>>[number]
const selectSummaries = (db: Db, viewer: Viewer) =>
  visible(db, viewer).select(summaryColumns).execute()

export const iconOf = (row: SummaryRow): PictureFile => ({
  id: row.icon_id,
  is_public: row.icon_public,
  media_type: row.icon_type,
})

export const toService =
  (pictures: Pictures) =>
  (row: SummaryRow): Service => ({
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
    iconUrl: pictures.address('icon', iconOf(row)),
    serviceType: row.kind,
    tags: row.tags,
    recommended: row.recommended,
    needsVpn: row.needs_vpn,
    notice: row.notice,
    noticeEn: row.notice_en,
    useCount: row.use_count,
    ...(row.outage && { outage: row.outage }),
    marks: row.marks as Service['marks'],
    forceRecommended: row.force_recommended,
    haveGuide: row.have_guide ? '1' : '0',
  })

/** Types with the number of services the viewer may use; empty ones are omitted unless a descendant has services. */
export async function listTypes(db: Db, viewer: Viewer, terminals?: readonly string[]) {
  const rows = await db
    .selectFrom('service_type as type')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('service')
          .select(sql<number>`count(*)::integer`.as('count'))
          .whereRef('service.type_id', '=', 'type.id')
          .where(usableBy(viewer))
          .where(terminals ? onTerminals(terminals) : sql<boolean>`true`)
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
  // Keep the ancestors of types with services.
  const byId = new Map(rows.map((row) => [row.id, row]))
  const visibleIds = new Set<string>()
  for (const row of rows)
    for (
      let type = row.count ? row : undefined;
      type && !visibleIds.has(type.id);
      type = type.parentId ? byId.get(type.parentId) : undefined
    )
      visibleIds.add(type.id)
  return rows
    .filter((row) => visibleIds.has(row.id))
    .map((row) => ({ ...row, count: row.count ?? 0 }))
}

/** Departments with the number of their services the viewer may use; those without any are left out. */
export const listDepartments = (db: Db, viewer: Viewer, terminals?: readonly string[]) =>
  visible(db, viewer, terminals)
    .innerJoin('organization as owner', 'owner.id', 'service.organization_id')
    .select([
      'owner.id as organizationId',
      'owner.name',
      'owner.name_en as nameEn',
      sql<number>`count(*)::integer`.as('count'),
    ])
    .groupBy(['owner.id', 'owner.name', 'owner.name_en'])
    .orderBy('count', 'desc')
    .orderBy('owner.id')
    .$castTo<ServiceDepartment>()
    .execute()

export type Filter = {
  typeId?: string | undefined
  organizationId?: string | undefined
  tag?: string | undefined
  terminals?: readonly string[] | undefined
  search?: SearchQuery | undefined
  only?: 'recommended' | 'forced' | undefined
}
type Order = 'catalogue' | 'used' | 'online'

type Page = {
  audiences: readonly number[]
  typeId?: string | undefined
  organizationId?: string | undefined
  tag?: string | undefined
  terminals?: readonly string[] | undefined
  recommended?: true | undefined
  forced?: true | undefined
  words?: string | undefined
  pattern?: string | undefined
  text?: string | undefined
  limit: number
  offset: number
}
function selectMatching(db: Db, page: Omit<Page, 'limit' | 'offset'>) {
  let query = visible(db, page, page.terminals)
  const { typeId, organizationId, tag, words, pattern } = page
  if (typeId)
    query = query.where(
      'service.type_id',
      'in',
      // The type and its descendants.
      sql<string>`(with recursive below as (
        select id from service_type where id = ${typeId}
        union select child.id from service_type child join below on child.parent_id = below.id)
        select id from below)`,
    )
  if (organizationId) query = query.where('service.organization_id', '=', organizationId)
  if (tag) query = query.where(sql<boolean>`${tag}::text = any(service.tags)`)
  if (page.recommended) query = query.where('service.recommended', '=', sql.lit(true))
  if (page.forced) query = query.where('service.force_recommended', '=', sql.lit(true))
  if (pattern)
    query = query.where(
      words
        ? sql<boolean>`(service.search_text like ${pattern} or service.search @@ to_tsquery('simple', ${words}))`
        : sql<boolean>`service.search_text like ${pattern}`,
    )
  return query
}
const pageOf = (order: Order) =>
  prepared((db, page: Page) => {
    let query = selectMatching(db, page)
      .select(summaryColumns)
      // Counted in the same statement: a second one could disagree.
      .select(sql<number>`count(*) over ()::integer`.as('total'))
    if (page.text)
      // Order: exact name, prefix, substring of the name, others.
      query = query.orderBy(sql`case when lower(service.name) = ${page.text} then 0
        when starts_with(lower(service.name), ${page.text}) or starts_with(service.pinyin, ${page.text})
          or starts_with(service.initials, ${page.text}) then 1
        when strpos(lower(service.name), ${page.text}) > 0 then 2 else 3 end`)
    if (order === 'catalogue')
      query = query.orderBy('service.recommended', 'desc').orderBy('service.position')
    if (order === 'used') query = query.orderBy('service.use_count', 'desc')
    if (order === 'online') query = query.orderBy('service.online_at', 'desc')
    return query.orderBy('service.id').limit(page.limit).offset(page.offset)
  })
const selectPage = {
  catalogue: pageOf('catalogue'),
  used: pageOf('used'),
  online: pageOf('online'),
}

/** A page of the catalogue and the total number. */
export async function listServices(
  db: Db,
  { audiences }: Viewer,
  pictures: Pictures,
  filter: Filter,
  page: { offset: number; pageSize: number; order?: Order },
) {
  const { typeId, organizationId, tag, terminals, search, only } = filter
  const criteria = {
    audiences,
    typeId,
    organizationId,
    tag: tag || undefined,
    terminals,
    recommended: only === 'recommended' || undefined,
    forced: only === 'forced' || undefined,
    words: search?.query || undefined,
    pattern: search?.pattern,
    text: search?.text,
  }
  const { pageSize: limit, offset, order = 'catalogue' } = page
  const rows = await selectPage[order](db, { ...criteria, limit, offset })
  // A page past the end has no row with the total.
  const total =
    rows[0]?.total ??
    (offset === 0
      ? 0
      : (
          await selectMatching(db, criteria)
            .select(sql<number>`count(*)::integer`.as('total'))
            .executeTakeFirstOrThrow()
        ).total)
  return { total, list: rows.map(toService(pictures)) }
}

const findService = (db: Db, viewer: Viewer, id: string) =>
  visible(db, viewer)
    .select(summaryColumns)
    .leftJoin('file as card', 'card.id', 'service.card_file_id')
    .select([
      'service.url',
      'service.contact',
      'service.hours',
      'service.online_at',
      'service.valid_from',
      'service.valid_until',
      'service.terminals',
      'service.source',
      'service.tech_type',
      'service.opening',
      'service.mini_program',
      'service.token_accept',
      'card.id as card_id',
      isVisibleToAll('card').as('card_public'),
      'card.media_type as card_type',
    ])
    .where('service.id', '=', id)
    .executeTakeFirst()
export type ServiceRow = NonNullable<Awaited<ReturnType<typeof findService>>>

/** A service the viewer may use; an invisible one looks like a missing one. @throws service.not_found */
export const getService = async (db: Db, viewer: Viewer, id: string) =>
  (await findService(db, viewer, id)) ?? fail('service.not_found')

/** The services most used in the institution, among those the viewer may use. */
export async function listCommon(
  db: Db,
  viewer: Viewer,
  pictures: Pictures,
  limit: number,
  terminals?: readonly string[],
) {
  const page = { offset: 0, pageSize: limit, order: 'used' } as const
  return (await listServices(db, viewer, pictures, { terminals }, page)).list
}

/** Services by number, in this order; those the viewer may not use are omitted. */
export async function listByNumber(
  db: Db,
  viewer: Viewer,
  pictures: Pictures,
  numbers: readonly string[],
) {
  if (numbers.length === 0) return []
  const rows = await visible(db, viewer)
    .select(summaryColumns)
    .where('service.service_no', '=', anyOf(numbers))
    .orderBy(sql`array_position(${numbers as string[]}::text[], service.service_no)`)
    .execute()
  return rows.map(toService(pictures))
}
const anyOf = (values: readonly string[]): Expression<string> =>
  sql<string>`any(${values as string[]}::text[])`

/** Services a member used, most recent first, and their total. */
export async function listLastUsed(
  db: Db,
  viewer: Viewer & { signedIn: true },
  pictures: Pictures,
  page: { offset: number; pageSize: number; terminals?: readonly string[] | undefined },
) {
  const used = visible(db, viewer, page.terminals)
    .innerJoin('service_use', 'service_use.service_id', 'service.id')
    .where('service_use.account_id', '=', viewer.accountId)
  const count = sql<number>`count(*)::integer`.as('total')
  const [rows, { total }] = await Promise.all([
    used
      .select(summaryColumns)
      .orderBy('service_use.last_used_at', 'desc')
      .orderBy('service.id')
      .limit(page.pageSize)
      .offset(page.offset)
      .execute(),
    used.select(count).executeTakeFirstOrThrow(),
  ])
  return { total, list: rows.map(toService(pictures)) }
}

/** Updates the use counters; invalidates the cache only if one changed. */
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
  if (numUpdatedRows > 0n) await invalidate(db, 'services')
}
