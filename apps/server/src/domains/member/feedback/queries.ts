import type { Feedback, FeedbackLine, FeedbackSummary } from '@atrium/contract/member/feedback'
import type { Point } from '@atrium/contract/shell/map'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import {
  cursorPage,
  cursorShapes,
  exactTime,
  pageSizeOf,
  readCursor,
} from '#platform/http/paging.ts'
import type { Pictures } from '#platform/images/pictures.ts'
import { photosOf } from './photos.ts'

export type PageQuery = { cursor?: string; pageSize?: number }
const cursorShape = [cursorShapes.time, cursorShapes.id]
const text = (column: string) => sql<string>`coalesce(${sql.ref(column)}, '')`

export const listKinds = (db: Db) =>
  db
    .selectFrom('feedback_kind as kind')
    .leftJoin('organization', 'organization.id', 'kind.organization_id')
    .select([
      'kind.id',
      'kind.name',
      'kind.name_en as nameEn',
      'kind.description',
      'kind.description_en as descriptionEn',
      text('organization.name').as('department'),
      text('organization.name_en').as('departmentEn'),
    ])
    .where('kind.online', '=', true)
    .orderBy('kind.position')
    .orderBy('kind.id')
    .limit(100)
    .execute()

/** The base query for feedback. */
export const selectFeedback = (db: Db) =>
  db
    .selectFrom('feedback')
    .leftJoin('feedback_kind as kind', 'kind.id', 'feedback.kind_id')
    .leftJoin('service', 'service.id', 'feedback.service_id')
    .leftJoin('organization', 'organization.id', 'feedback.organization_id')
    .select([
      'feedback.id',
      'feedback.content',
      'feedback.score',
      'feedback.created_at as createdAt',
      sql<FeedbackSummary['state']>`feedback.state`.as('state'),
      text('kind.name').as('kindName'),
      text('kind.name_en').as('kindNameEn'),
      text('service.name').as('serviceName'),
      text('service.name_en').as('serviceNameEn'),
      text('organization.name').as('department'),
      text('organization.name_en').as('departmentEn'),
      sql<number>`(select count(*)::integer from feedback_photo photo where photo.feedback_id = feedback.id)`.as(
        'photoCount',
      ),
    ])

export async function listOwnFeedback(db: Db, accountId: string, paged: PageQuery) {
  const [time, after] = readCursor(paged.cursor, cursorShape) ?? []
  const pageSize = pageSizeOf(paged)
  const rows = await selectFeedback(db)
    .select(exactTime('feedback.created_at').as('exact'))
    .where('feedback.account_id', '=', accountId)
    .$if(time !== undefined, (query) =>
      query.where(
        sql<boolean>`(feedback.created_at, feedback.id) < (${time}::timestamptz, ${after}::bigint)`,
      ),
    )
    .orderBy('feedback.created_at', 'desc')
    .orderBy('feedback.id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.exact, row.id],
    ({ exact: _, ...one }) => one,
  )
}

export const listLines = (db: Db, feedbackId: string) =>
  db
    .selectFrom('feedback_line')
    .select([
      'id',
      sql<FeedbackLine['author']>`author`.as('author'),
      'text',
      'created_at as createdAt',
    ])
    .where('feedback_id', '=', feedbackId)
    .orderBy('id')
    .limit(200)
    .execute()

/** SQL JSON of the coordinates, or null. */
export const selectPoint = sql<Point | null>`
  case when feedback.latitude is not null and feedback.longitude is not null
    then jsonb_build_object('latitude', feedback.latitude, 'longitude', feedback.longitude) end`

/** The member's own feedback; other members' feedback counts as missing. */
export async function findOwnFeedback(
  db: Db,
  pictures: Pictures,
  accountId: string,
  id: string,
): Promise<Feedback | undefined> {
  const row = await selectFeedback(db)
    .select([
      'feedback.place',
      selectPoint.as('point'),
      'feedback.contact',
      'feedback.score_comment as scoreComment',
      'feedback.may_publish as mayPublish',
      sql<boolean>`feedback.published_at is not null`.as('published'),
    ])
    .where('feedback.id', '=', id)
    .where('feedback.account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) return undefined
  const photos = (await photosOf(db, pictures, [id])).get(id) ?? []
  return { ...row, photos, lines: await listLines(db, id) }
}

export const findFeedbackByKey = async (db: Db, accountId: string, key: string) =>
  (
    await db
      .selectFrom('feedback')
      .select('id')
      .where('account_id', '=', accountId)
      .where('key', '=', key)
      .executeTakeFirst()
  )?.id

/**
 * What a person sent in the last hour and day with all their accounts. Locks the person, so that concurrent calls are
 * serialised.
 */
export async function countRecent(db: Db, personId: string) {
  await sql`select from person where id = ${personId} for no key update`.execute(db)
  const { rows } = await sql<{ hour: number; day: number; lines: number }>`
    select count(*) filter (where feedback.created_at > now() - interval '1 hour')::integer as hour,
      count(*)::integer as day,
      (select count(*)::integer from feedback_line line join feedback on feedback.id = line.feedback_id
        join account on account.id = feedback.account_id
        where account.person_id = ${personId} and line.author = 'member' and line.created_at > now() - interval '1 hour') as lines
    from feedback join account on account.id = feedback.account_id
    where account.person_id = ${personId} and feedback.created_at > now() - interval '1 day'`.execute(
    db,
  )
  return rows[0] ?? { hour: 0, day: 0, lines: 0 }
}

/**
 * The department responsible for feedback: that of its kind, or of the service if there is no kind or the kind says so.
 * @returns undefined if the kind does not exist
 */
export async function findDestination(
  db: Db,
  kindId: string | null,
  service: { organizationId: string | null } | undefined,
): Promise<{ organizationId: string | null } | undefined> {
  if (kindId === null) return { organizationId: service?.organizationId ?? null }
  const kind = await db
    .selectFrom('feedback_kind')
    .select(['organization_id', 'to_service'])
    .where('id', '=', kindId)
    .where('online', '=', true)
    .executeTakeFirst()
  if (!kind) return undefined
  const serviceOrganization = kind.to_service ? service?.organizationId : undefined
  return { organizationId: serviceOrganization ?? kind.organization_id }
}

type NewFeedback = {
  account_id: string
  key: string
  kind_id: string | null
  service_id: string | null
  organization_id: string | null
  content: string
  place: string
  latitude: number | null
  longitude: number | null
  contact: string
  may_publish: boolean
}

/** @returns its id; undefined if it already exists */
export const insertFeedback = async (db: Db, values: NewFeedback) =>
  (
    await db
      .insertInto('feedback')
      .values(values)
      .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

/** Locks the member's own feedback. @returns its state */
export const lockOwnFeedback = (db: Db, accountId: string, id: string) =>
  db
    .selectFrom('feedback')
    .select(['id', 'state', 'answered_at'])
    .select(
      sql<number>`(select count(*)::integer from feedback_line line where line.feedback_id = feedback.id)`.as(
        'lines',
      ),
    )
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Adds a message by the author: answered feedback becomes waiting again and is no longer merged. */
export async function insertOwnLine(db: Db, id: string, line: string) {
  await db
    .insertInto('feedback_line')
    .values({ feedback_id: id, author: 'member', text: line })
    .execute()
  await db
    .updateTable('feedback')
    .set({
      state: sql`case state when 'answered' then 'waiting' else state end`,
      merged_into_id: null,
      revision: sql`revision + 1`,
    })
    .where('id', '=', id)
    .execute()
}

export const updateScore = (db: Db, id: string, score: number, comment: string) =>
  db
    .updateTable('feedback')
    .set({ score, score_comment: comment, scored_at: sql`now()` })
    .where('id', '=', id)
    .execute()

export const deleteFeedback = (db: Db, id: string) =>
  db.deleteFrom('feedback').where('id', '=', id).execute()

/** Published questions with their answers; anonymous. */
export async function listPublished(
  db: Db,
  filter: PageQuery & { order: 'hot' | 'newest'; kindId?: string },
) {
  const hot = filter.order === 'hot'
  const shapes = hot ? [/^\d{1,9}$/, ...cursorShape] : cursorShape
  const position = readCursor(filter.cursor, shapes)
  const [askCount, time, after] = hot ? (position ?? []) : [undefined, ...(position ?? [])]
  const pageSize = pageSizeOf(filter)
  const askCountSql = sql<number>`(1 + (select count(*) from feedback one where one.merged_into_id = feedback.id))::integer`
  const rows = await selectFeedback(db)
    .select([
      'feedback.answer',
      sql<string>`feedback.published_at`.as('publishedAt'),
      askCountSql.as('asked'),
      exactTime('feedback.published_at').as('exact'),
    ])
    .where('feedback.published_at', 'is not', null)
    .$if(filter.kindId !== undefined, (query) =>
      query.where('feedback.kind_id', '=', filter.kindId ?? ''),
    )
    .$if(position !== undefined && !hot, (query) =>
      query.where(
        sql<boolean>`(feedback.published_at, feedback.id) < (${time}::timestamptz, ${after}::bigint)`,
      ),
    )
    .$if(position !== undefined && hot, (query) =>
      query.where(
        sql<boolean>`(${askCountSql}, feedback.published_at, feedback.id) < (${askCount}::integer, ${time}::timestamptz, ${after}::bigint)`,
      ),
    )
    .$if(hot, (query) => query.orderBy(askCountSql, 'desc'))
    .orderBy('feedback.published_at', 'desc')
    .orderBy('feedback.id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return cursorPage(
    rows,
    pageSize,
    (row) => (hot ? [row.asked, row.exact, row.id] : [row.exact, row.id]),
    ({ id, kindName, kindNameEn, department, departmentEn, content, answer, ...row }) => ({
      id,
      kindName,
      kindNameEn,
      department,
      departmentEn,
      content,
      answer,
      asked: row.asked,
      publishedAt: row.publishedAt,
    }),
  )
}

/** The latest answer of each. */
export async function listAnswers(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom('feedback')
    .select(['id', 'answer'])
    .where('id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .execute()
  return new Map(rows.map(({ id, answer }) => [id, answer]))
}

/** Closes feedback whose answer is two weeks old without a further message. */
export async function closeAnswered(db: Db): Promise<void> {
  await sql`
    update feedback set state = 'closed', revision = revision + 1
    where state = 'answered' and answered_at < now() - interval '14 days'`.execute(db)
}
