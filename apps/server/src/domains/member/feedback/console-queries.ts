import type { feedbackStates } from '@atrium/contract/member/feedback'
import type {
  ManagedFeedbackKind,
  ReceivedFeedback,
} from '@atrium/contract/member/feedback.operator'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import {
  cursorPage,
  cursorShapes,
  exactTime,
  pageSizeOf,
  pattern,
  readCursor,
} from '#platform/http/paging.ts'
import type { Pictures } from '#platform/images/pictures.ts'
import { operatedIn } from '#platform/permissions.ts'
import { photosOf } from './photos.ts'
import { listLines, type PageQuery, selectFeedback, selectPoint } from './queries.ts'

/** SQL condition on `organization`: the viewer manages this department. */
function operated(viewer: Member): RawBuilder<boolean> {
  const codes = operatedIn(viewer, 'messages')
  return codes === null
    ? sql<boolean>`true`
    : sql<boolean>`organization.path && ${codes as string[]}::text[]`
}

// ---- kinds ----

export const listManagedKinds = (
  db: Db,
  viewer: Member,
  id?: string,
): Promise<ManagedFeedbackKind[]> =>
  db
    .selectFrom('feedback_kind as kind')
    .leftJoin('organization', 'organization.id', 'kind.organization_id')
    .select([
      'kind.id',
      'kind.revision',
      'kind.name',
      'kind.name_en as nameEn',
      'kind.description',
      'kind.description_en as descriptionEn',
      'kind.to_service as toService',
      'kind.online',
      'kind.position',
      'organization.code as organization',
      sql<string>`coalesce(organization.name, '')`.as('department'),
      sql<string>`coalesce(organization.name_en, '')`.as('departmentEn'),
      sql<number>`(select count(*)::integer from feedback
        where kind_id = kind.id and state in ('waiting', 'handling') and merged_into_id is null)`.as(
        'waiting',
      ),
    ])
    .where(operated(viewer))
    .$if(id !== undefined, (query) => query.where('kind.id', '=', id ?? ''))
    .orderBy('kind.position')
    .orderBy('kind.id')
    .limit(500)
    .execute()

// ---- received feedback ----

type FeedbackState = (typeof feedbackStates)[number]

export type Filter = {
  state?: string | undefined
  kindId?: string | undefined
  serviceId?: string | undefined
  organization?: string | undefined
  mergedInto?: string | undefined
  keyWords?: string | undefined
}
const cursorShape = [cursorShapes.time, cursorShapes.id]

const selectReceived = (db: Db, viewer: Member) =>
  selectFeedback(db)
    .innerJoin('account as author', 'author.id', 'feedback.account_id')
    .innerJoin('person', 'person.id', 'author.person_id')
    .innerJoin('organization as home', 'home.id', 'author.organization_id')
    .select([
      'feedback.revision',
      'feedback.account_id as accountId',
      'feedback.place',
      selectPoint.as('point'),
      'feedback.contact',
      'feedback.score_comment as scoreComment',
      'feedback.may_publish as mayPublish',
      'feedback.merged_into_id as mergedInto',
      'feedback.answered_at as answeredAt',
      'organization.code as organization',
      'person.name as authorName',
      'person.name_en as authorNameEn',
      'author.username as accountName',
      sql<string>`home.name`.as('authorOrganization'),
      sql<string>`home.name_en`.as('authorOrganizationEn'),
      sql<boolean>`feedback.published_at is not null`.as('published'),
      sql<number>`(select count(*)::integer from feedback one where one.merged_into_id = feedback.id)`.as(
        'duplicates',
      ),
      exactTime('feedback.created_at').as('exact'),
    ])
    .where(operated(viewer))

type Row = Awaited<ReturnType<ReturnType<typeof selectReceived>['execute']>>[number]

const toReceived = (
  row: Row,
  details: Pick<ReceivedFeedback, 'photos' | 'lines'>,
): ReceivedFeedback => {
  const { exact: _, accountId: __, ...rest } = row
  const {
    authorName,
    authorNameEn,
    accountName,
    authorOrganization,
    authorOrganizationEn,
    ...feedback
  } = rest
  const author = {
    name: authorName,
    nameEn: authorNameEn,
    accountName,
    organization: authorOrganization,
    organizationEn: authorOrganizationEn,
  }
  return { ...feedback, ...details, author }
}

/** A page of the inbox, without later messages. */
export async function listReceived(
  db: Db,
  pictures: Pictures,
  viewer: Member,
  { cursor, pageSize: size, ...filter }: Filter & PageQuery,
) {
  const [time, after] = readCursor(cursor, cursorShape) ?? []
  const pageSize = pageSizeOf({ ...(size !== undefined && { pageSize: size }) })
  const rows = await selectReceived(db, viewer)
    .where(filterCondition(filter))
    .$if(time !== undefined, (query) =>
      query.where(
        sql<boolean>`(feedback.created_at, feedback.id) < (${time}::timestamptz, ${after}::bigint)`,
      ),
    )
    .orderBy('feedback.created_at', 'desc')
    .orderBy('feedback.id', 'desc')
    .limit(pageSize + 1)
    .execute()
  const photos = await photosOf(
    db,
    pictures,
    rows.map(({ id }) => id),
  )
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.exact, row.id],
    (row) => toReceived(row, { photos: photos.get(row.id) ?? [], lines: [] }),
  )
}

/** SQL condition for the requested feedback. */
function filterCondition({ state, kindId, serviceId, organization, mergedInto, keyWords }: Filter) {
  const conditions = [
    mergedInto === undefined
      ? sql`feedback.merged_into_id is null`
      : sql`feedback.merged_into_id = ${mergedInto}`,
  ]
  if (state !== undefined) conditions.push(sql`feedback.state = ${state}`)
  if (kindId !== undefined) conditions.push(sql`feedback.kind_id = ${kindId}`)
  if (serviceId !== undefined) conditions.push(sql`feedback.service_id = ${serviceId}`)
  if (organization !== undefined)
    conditions.push(sql`organization.path && ${[organization]}::text[]`)
  if (keyWords?.trim()) conditions.push(sql`lower(feedback.content) like ${pattern(keyWords)}`)
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** Feedback the caller is responsible for, with its author. */
export async function findReceived(
  db: Db,
  pictures: Pictures,
  viewer: Member,
  id: string,
): Promise<ReceivedFeedback | undefined> {
  const row = await selectReceived(db, viewer).where('feedback.id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const photos = (await photosOf(db, pictures, [id])).get(id) ?? []
  return toReceived(row, { photos, lines: await listLines(db, id) })
}

type Counts = Record<FeedbackState | 'rated', number> & { score: number | null }

/** Counts by state, with the same filter as the list. */
export async function countReceived(db: Db, viewer: Member, filter: Filter) {
  const { rows } = await sql<Counts>`
    select count(*) filter (where state = 'waiting')::integer as waiting,
      count(*) filter (where state = 'handling')::integer as handling,
      count(*) filter (where state = 'answered')::integer as answered,
      count(*) filter (where state = 'closed')::integer as closed,
      count(score) filter (where scored_at > now() - interval '90 days')::integer as rated,
      (round(avg(score) filter (where scored_at > now() - interval '90 days'), 2))::float8 as score
    from feedback left join organization on organization.id = feedback.organization_id
    where ${operated(viewer)} and ${filterCondition(filter)}`.execute(db)
  return rows[0] ?? { waiting: 0, handling: 0, answered: 0, closed: 0, rated: 0, score: null }
}

/** The services referred to by feedback the caller is responsible for. */
export const listServicesOf = (db: Db, viewer: Member) =>
  db
    .selectFrom('feedback')
    .innerJoin('service', 'service.id', 'feedback.service_id')
    .leftJoin('organization', 'organization.id', 'feedback.organization_id')
    .select(['service.id', 'service.name', 'service.name_en as nameEn'])
    .where(operated(viewer))
    .groupBy('service.id')
    .orderBy('service.name')
    .orderBy('service.id')
    .limit(100)
    .execute()

/** Departments that handle a kind or have an operator who may answer. */
export async function listDestinations(db: Db) {
  const { rows } = await sql<{ code: string; name: string; nameEn: string }>`
    select code, name, name_en as "nameEn" from organization
    where id in (
      select organization_id from feedback_kind
      union select organization_id from operator_permission where permission = 'messages'
    ) order by path, code limit 500`.execute(db)
  return rows
}

/**
 * Locks feedback and its duplicates, in the order of ids to avoid deadlocks, so that it cannot be answered or merged
 * meanwhile. Call in a transaction before reading what is locked.
 */
export const lockReceived = (db: Db, ids: readonly string[]) =>
  sql`
    select from feedback
    where id = any(${ids as string[]}::bigint[]) or merged_into_id = any(${ids as string[]}::bigint[])
    order by id for no key update`.execute(db)

/**
 * Updates feedback if its revision is current. Call in a transaction.
 * @returns false if it was changed concurrently
 */
export async function changeReceived(
  db: Db,
  { id, revision }: { id: string; revision: number },
  set: RawBuilder<unknown>,
) {
  const { rows } = await sql`
    update feedback set revision = revision + 1, ${set} where id = ${id} and revision = ${revision}
    returning id`.execute(db)
  return rows.length > 0
}
