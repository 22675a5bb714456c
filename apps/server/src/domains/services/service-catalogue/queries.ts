import type {
  ManagedService,
  ServiceContent,
  ServiceTexts,
} from '@atrium/contract/services/service-catalogue.operator'
import { type Expression, sql } from 'kysely'
import { audienceFor, type Rule } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import { pinyinOf } from '#platform/text/pinyin.ts'

const selectManaged = (db: Db) =>
  db
    .selectFrom('service')
    .innerJoin('service_type as type', 'type.id', 'service.type_id')
    .innerJoin('audience', 'audience.id', 'service.audience_id')
    .leftJoin('organization', 'organization.id', 'service.organization_id')
    .selectAll('service')
    .select([
      'type.code as type_code',
      'type.name as type_name',
      'audience.rules',
      'organization.code as organization_code',
      'organization.path as organization_path',
    ])
    .select((query) =>
      query
        .selectFrom('service_owner')
        .innerJoin('account', 'account.id', 'service_owner.account_id')
        .innerJoin('person', 'person.id', 'account.person_id')
        .whereRef('service_owner.service_id', '=', 'service.id')
        .select(
          sql<
            { username: string; name: string }[] | null
          >`jsonb_agg(jsonb_build_object('username', account.username, 'name', person.name) order by account.username)`.as(
            'list',
          ),
        )
        .as('owners'),
    )
export type ServiceRow = NonNullable<Awaited<ReturnType<typeof findManaged>>>

export const toManaged = (row: ServiceRow): ManagedService => ({
  serviceId: row.id,
  serviceNo: row.service_no,
  serviceName: row.name,
  serviceNameEn: row.name_en,
  desc: row.summary,
  descEn: row.summary_en,
  contactInformation: row.contact,
  runTime: row.hours,
  notice: row.notice,
  noticeEn: row.notice_en,
  tags: row.tags,
  typeId: row.type_id,
  typeCode: row.type_code,
  organizationId: row.organization_id,
  organizationCode: row.organization_code,
  serviceUrl: row.url,
  opening: row.opening as ManagedService['opening'],
  miniProgram: row.mini_program as ManagedService['miniProgram'],
  tokenAccept: row.token_accept as ManagedService['tokenAccept'],
  serviceType: row.kind as ManagedService['serviceType'],
  audience: editableAudience(row.rules as Rule[]),
  icon: { glyph: row.glyph, tone: row.tone as ManagedService['icon']['tone'] },
  iconFileId: row.icon_file_id,
  cardFileId: row.card_file_id,
  marks: row.marks as ManagedService['marks'],
  terminals: row.terminals as ManagedService['terminals'],
  recommended: row.recommended,
  forceRecommended: row.force_recommended,
  needsVpn: row.needs_vpn,
  validFrom: row.valid_from,
  validUntil: row.valid_until,
  serviceSource: row.source,
  techType: row.tech_type,
  position: row.position,
  online: row.online,
  onlineAt: row.online_at,
  haveGuide: row.have_guide,
  useCount: row.use_count,
  owners: row.owners ?? [],
  version: row.version,
  updatedAt: row.updated_at,
})

/** An audience as edited by operators. Rules for single accounts cannot be edited here and are omitted. */
export const editableAudience = (rules: readonly Rule[]) =>
  rules.flatMap((rule) =>
    rule.kind === 'account' ? [] : [{ target: '', ...rule }],
  ) as ManagedService['audience']

/** @param lock locks the row until the transaction ends */
export async function findManaged(db: Db, id: string, { lock = false } = {}) {
  if (lock) await db.selectFrom('service').select('id').where('id', '=', id).forUpdate().execute()
  return selectManaged(db).where('service.id', '=', id).executeTakeFirst()
}

type Filter = {
  keyWords?: string | undefined
  typeId?: string | undefined
  online?: boolean | undefined
}

/** @param codes organisations of the operator, including descendants; null: all services */
export async function listManaged(
  db: Db,
  codes: readonly string[] | null,
  { keyWords, typeId, online }: Filter,
  { pageSize, offset }: { pageSize: number; offset: number },
) {
  const words = keyWords?.trim().toLowerCase()
  const pattern = words && `%${words.replaceAll(/[\\%_]/g, '\\$&')}%`
  const applyFilter = <T extends ReturnType<typeof selectManaged>>(query: T) => {
    let filtered = query as ReturnType<typeof selectManaged>
    if (codes)
      filtered = filtered.where(
        'organization.path',
        '&&',
        sql<string[]>`${codes as string[]}::text[]`,
      )
    if (typeId) filtered = filtered.where('service.type_id', '=', typeId)
    if (online !== undefined) filtered = filtered.where('service.online', '=', online)
    if (pattern)
      filtered = filtered.where((where) =>
        where.or([
          where('service.name', 'ilike', pattern),
          where('service.name_en', 'ilike', pattern),
          where('service.service_no', 'ilike', pattern),
          where('service.url', 'ilike', pattern),
        ]),
      )
    return filtered
  }
  const list = await applyFilter(selectManaged(db))
    .orderBy('service.service_no')
    .limit(pageSize)
    .offset(offset)
    .execute()
  const { total } = await applyFilter(selectManaged(db))
    .clearSelect()
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return { list: list.map(toManaged), total }
}

export const listOwned = async (db: Db, accountId: string) =>
  (
    await selectManaged(db)
      .where('service.id', 'in', (owned) =>
        owned.selectFrom('service_owner').select('service_id').where('account_id', '=', accountId),
      )
      .orderBy('service.service_no')
      .limit(200)
      .execute()
  ).map(toManaged)

export const isOwner = async (db: Db, accountId: string, serviceId: string) =>
  (await db
    .selectFrom('service_owner')
    .select('service_id')
    .where('account_id', '=', accountId)
    .where('service_id', '=', serviceId)
    .executeTakeFirst()) !== undefined

export const textColumns = (texts: ServiceTexts) => ({
  name: texts.serviceName,
  ...pinyinOf(texts.serviceName),
  name_en: texts.serviceNameEn,
  summary: texts.desc,
  summary_en: texts.descEn,
  contact: texts.contactInformation,
  hours: texts.runTime,
  notice: texts.notice,
  notice_en: texts.noticeEn,
  tags: texts.tags,
})

export const columnsOf = async (db: Db, content: ServiceContent) => ({
  ...textColumns(content),
  service_no: content.serviceNo,
  type_id: content.typeId,
  organization_id: content.organizationId,
  url: content.serviceUrl,
  opening: content.opening,
  mini_program: content.miniProgram && JSON.stringify(content.miniProgram),
  token_accept: content.tokenAccept && JSON.stringify(content.tokenAccept),
  kind: content.serviceType,
  audience_id: await audienceFor(db, content.audience.map(toRule)),
  glyph: content.icon.glyph,
  tone: content.icon.tone,
  icon_file_id: content.iconFileId,
  card_file_id: content.cardFileId,
  marks: content.marks,
  terminals: content.terminals,
  recommended: content.recommended,
  force_recommended: content.forceRecommended,
  needs_vpn: content.needsVpn,
  valid_from: content.validFrom,
  valid_until: content.validUntil,
  source: content.serviceSource,
  tech_type: content.techType,
  position: content.position,
})
type Columns = Partial<Awaited<ReturnType<typeof columnsOf>>>

export const toRule = ({ effect, kind, target }: ServiceContent['audience'][number]): Rule =>
  kind === 'everybody' || kind === 'guests' ? { effect, kind } : { effect, kind, target }

/** @returns the new id; undefined if the number is taken */
export async function insertService(db: Db, content: ServiceContent, online: boolean) {
  const row = await db
    .insertInto('service')
    .values({ ...(await columnsOf(db, content)), online })
    .onConflict((conflict) => conflict.column('service_no').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export const updateService = (db: Db, id: string, columns: Columns & { online?: boolean }) =>
  db.updateTable('service').set(columns).where('id', '=', id).execute()

/** Publishes or withdraws a service. Publishing sets `online_at`, so members see it as new. */
export const setOnline = (db: Db, id: string, online: boolean) =>
  db
    .updateTable('service')
    .set({ online, ...(online && { online_at: sql<string>`now()` }) })
    .where('id', '=', id)
    .where('online', '<>', online)
    .execute()

export const deleteService = (db: Db, id: string) =>
  db.deleteFrom('service').where('id', '=', id).execute()

export const isNumberTaken = async (db: Db, serviceNo: string, besides: string) =>
  (await db
    .selectFrom('service')
    .select('id')
    .where('service_no', '=', serviceNo)
    .where('id', '<>', besides)
    .executeTakeFirst()) !== undefined

export const hasParty = async (db: Db, id: string) =>
  (await db
    .selectFrom('relying_party')
    .select('id')
    .where('service_id', '=', id)
    .executeTakeFirst()) !== undefined

/** Replaces the owners of a service. */
export async function replaceOwners(db: Db, id: string, accountIds: readonly string[]) {
  await db.deleteFrom('service_owner').where('service_id', '=', id).execute()
  if (accountIds.length > 0)
    await db
      .insertInto('service_owner')
      .values(accountIds.map((account_id) => ({ service_id: id, account_id })))
      .execute()
  await db
    .updateTable('service')
    .set({ version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Ids of these accounts by username; only active ones. */
export async function findAccounts(db: Db, usernames: readonly string[]) {
  const rows = await db
    .selectFrom('account')
    .select(['id', 'username'])
    .where('username', '=', anyOf(usernames))
    .where('status', '=', 'active')
    .execute()
  return new Map(rows.map((row) => [row.username, row.id]))
}
const anyOf = (values: readonly string[]): Expression<string> =>
  sql<string>`any(${values as string[]}::text[])`

export const findOrganizationPath = async (db: Db, id: string) =>
  (await db.selectFrom('organization').select('path').where('id', '=', id).executeTakeFirst())?.path

export const hasType = async (db: Db, id: string) =>
  (await db.selectFrom('service_type').select('id').where('id', '=', id).executeTakeFirst()) !==
  undefined

/** The ids among these that exist, including withdrawn services. */
export async function findKnownServices(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom('service')
    .select('id')
    .where('id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .execute()
  return new Set(rows.map((row) => row.id))
}
