import {
  type Evaluation,
  type ManagedOpinion,
  minShown,
  type Opinion,
  type Photo,
} from '@atrium/contract/services/evaluation'
import { sql } from 'kysely'
import { toPhoto } from '#domains/content/images/photos.ts'
import { visible as visibleServices } from '#domains/services/services/queries.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member, Viewer } from '#platform/http/guard.ts'
import { cursorPage, cursorShapes, exactTime, hybridPageOf } from '#platform/http/paging.ts'
import type { Pictures } from '#platform/images/pictures.ts'

const objectColumns = [
  'service.id as serviceId',
  'service.service_no as code',
  'service.name',
  'service.name_en as nameEn',
] as const

/** A visible service to be rated, by number or id. */
export const findRatedService = (
  db: Db,
  viewer: Viewer,
  by: { code: string } | { serviceId: string },
) =>
  visibleServices(db, viewer)
    .select(objectColumns)
    .where((where) =>
      'code' in by
        ? where('service.service_no', '=', by.code)
        : where('service.id', '=', by.serviceId),
    )
    .executeTakeFirst()

/** A service and the path of its responsible organisation, from the root down; null: the whole institution. */
export const findServicePath = (db: Db, code: string) =>
  db
    .selectFrom('service')
    .leftJoin('organization', 'organization.id', 'service.organization_id')
    .select(['service.id', 'organization.path'])
    .where('service.service_no', '=', code)
    .executeTakeFirst()

export const listStandards = (db: Db) =>
  db
    .selectFrom('evaluation_standard')
    .select(['id', 'code', 'name', 'name_en as nameEn'])
    .orderBy('position')
    .orderBy('id')
    .limit(20)
    .execute()

export const hasUsed = async (db: Db, accountId: string, serviceId: string) =>
  (await db
    .selectFrom('service_use')
    .select('service_id')
    .where('account_id', '=', accountId)
    .where('service_id', '=', serviceId)
    .executeTakeFirst()) !== undefined

const isSameText = sql<boolean>`(evaluation.stars, evaluation.comment) = (excluded.stars, excluded.comment)`

/** Identifies stars and comment of an opinion. */
export const opinionEtag = sql<string>`md5(evaluation.stars || ' ' || evaluation.comment)`

type EvaluationInput = {
  accountId: string
  serviceId: string
  stars: number
  comment: string
  /** by standard id; undefined: unchanged */
  scores: readonly { standardId: string; stars: number }[] | undefined
  /** ids of the member's own uploads; undefined: unchanged */
  uploadIds: readonly string[] | undefined
}

/**
 * Creates or updates the member's only evaluation of a service; new stars or a new comment delete the reply, which
 * answered the former ones. Concurrent calls are serialised by the row lock.
 */
export async function saveEvaluation(db: Db, input: EvaluationInput) {
  const { accountId, serviceId, stars, comment, scores, uploadIds } = input
  const { id } = await db
    .insertInto('evaluation')
    .values({ account_id: accountId, service_id: serviceId, stars, comment })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'service_id']).doUpdateSet({
        stars,
        comment,
        reply: sql<string>`case when ${isSameText} then evaluation.reply else '' end`,
        replied_at: sql<string | null>`case when ${isSameText} then evaluation.replied_at end`,
        updated_at: sql`now()`,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  if (scores) {
    await db.deleteFrom('evaluation_score').where('evaluation_id', '=', id).execute()
    if (scores.length > 0)
      await sql`
        insert into evaluation_score (evaluation_id, standard_id, stars)
        select ${id}, * from unnest(${scores.map(({ standardId }) => standardId)}::bigint[],
          ${scores.map((score) => score.stars)}::smallint[])`.execute(db)
  }
  if (uploadIds) {
    await db.deleteFrom('evaluation_photo').where('evaluation_id', '=', id).execute()
    if (uploadIds.length > 0)
      await sql`
        insert into evaluation_photo (evaluation_id, upload_id, position)
        select ${id}, upload_id, position
        from unnest(${uploadIds as string[]}::bigint[]) with ordinality as u (upload_id, position)`.execute(
        db,
      )
  }
}

/** How many of these uploads belong to the member. */
export async function countOwnUploads(db: Db, accountId: string, uploadIds: readonly string[]) {
  const { count } = await db
    .selectFrom('evaluation_upload')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any(${uploadIds as string[]}::bigint[])`)
    .executeTakeFirstOrThrow()
  return count
}

export async function findEvaluation(
  db: Db,
  pictures: Pictures,
  accountId: string,
  serviceId: string,
): Promise<Evaluation | null> {
  const row = await db
    .selectFrom('evaluation')
    .select(['id', 'stars', 'comment', 'reply', 'replied_at', 'hidden_reason', 'updated_at'])
    .where('account_id', '=', accountId)
    .where('service_id', '=', serviceId)
    .executeTakeFirst()
  if (!row) return null
  const [scores, photos] = await Promise.all([
    db
      .selectFrom('evaluation_score as score')
      .innerJoin('evaluation_standard as standard', 'standard.id', 'score.standard_id')
      .select(['standard.code', 'score.stars'])
      .where('score.evaluation_id', '=', row.id)
      .orderBy('standard.position')
      .execute(),
    photosOf(db, pictures, [row.id]),
  ])
  return {
    id: row.id,
    stars: row.stars,
    comment: row.comment,
    scores,
    photos: photos.get(row.id) ?? [],
    reply: row.reply,
    repliedAt: row.replied_at,
    hiddenReason: row.hidden_reason,
    updatedAt: row.updated_at,
  }
}

/** Deletes the member's own evaluation. Returns whether it existed. */
export const deleteEvaluation = async (db: Db, accountId: string, id: string) =>
  (await db
    .deleteFrom('evaluation')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst()) !== undefined

/** Photos by evaluation id. */
export async function photosOf(db: Db, pictures: Pictures, ids: readonly string[]) {
  const rows = await db
    .selectFrom('evaluation_photo as photo')
    .innerJoin('evaluation_upload as upload', 'upload.id', 'photo.upload_id')
    .innerJoin('file', 'file.id', 'upload.file_id')
    .select(['photo.evaluation_id', 'upload.id', 'file.id as file_id', 'file.media_type'])
    .where('photo.evaluation_id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .orderBy('photo.position')
    .execute()
  const photosByEvaluation = new Map<string, Photo[]>()
  for (const row of rows) {
    const photos = photosByEvaluation.get(row.evaluation_id) ?? []
    photos.push(toPhoto(pictures, row.id, row.file_id, row.media_type))
    photosByEvaluation.set(row.evaluation_id, photos)
  }
  return photosByEvaluation
}

/** Average stars and their number; null while there are too few. */
export async function getScore(db: Db, serviceId: string) {
  const { average, count } = await db
    .selectFrom('evaluation')
    .select([
      sql<number | null>`round(avg(stars), 2)::float`.as('average'),
      sql<number>`count(*)::integer`.as('count'),
    ])
    .where('service_id', '=', serviceId)
    .executeTakeFirstOrThrow()
  return count < minShown ? { average: null, count: null } : { average, count }
}

/** Averages per standard; each is hidden while too few people scored it. */
export async function listStandardAverages(db: Db, serviceId: string) {
  const rows = await db
    .selectFrom('evaluation_standard as standard')
    .leftJoin(
      (query) =>
        query
          .selectFrom('evaluation_score as score')
          .innerJoin('evaluation', 'evaluation.id', 'score.evaluation_id')
          .select([
            'score.standard_id',
            sql<number>`round(avg(score.stars), 2)::float`.as('average'),
            sql<number>`count(*)::integer`.as('count'),
          ])
          .where('evaluation.service_id', '=', serviceId)
          .groupBy('score.standard_id')
          .having(sql<number>`count(*)`, '>=', minShown)
          .as('scored'),
      (join) => join.onRef('scored.standard_id', '=', 'standard.id'),
    )
    .select([
      'standard.code',
      'standard.name',
      'standard.name_en as nameEn',
      'scored.average',
      'scored.count',
    ])
    .orderBy('standard.position')
    .orderBy('standard.id')
    .limit(20)
    .execute()
  return rows
}

type ListOptions = {
  query: { pageNo?: number; pageSize?: number; cursor?: string }
  zone: string
}

/** Opinions shown to readers: none while there are too few, and no hidden ones. */
export async function listOpinions(
  db: Db,
  pictures: Pictures,
  serviceId: string,
  options: ListOptions,
) {
  const { given: total, seen: visible } = await db
    .selectFrom('evaluation')
    .select([
      sql<number>`count(*)::integer`.as('given'),
      sql<number>`count(*) filter (where hidden_at is null)::integer`.as('seen'),
    ])
    .where('service_id', '=', serviceId)
    .executeTakeFirstOrThrow()
  const { pageNo, pageSize } = hybridPageOf(options.query, turnShapes)
  if (total < minShown) return { list: [], nextCursor: null, total: 0, pageNo, pageSize }
  const visibleOpinions = opinionsOf(db, serviceId, options).where('hidden_at', 'is', null)
  const page = await pageOfOpinions(db, pictures, visibleOpinions, options, (opinion) => opinion)
  return { ...page, total: visible, pageNo, pageSize }
}

/** As `listOpinions`, for the service's operators: including few or hidden ones. */
export const listManagedOpinions = (
  db: Db,
  pictures: Pictures,
  serviceId: string,
  options: ListOptions,
) =>
  pageOfOpinions(
    db,
    pictures,
    opinionsOf(db, serviceId, options),
    options,
    (opinion, row): ManagedOpinion => ({
      ...opinion,
      etag: row.etag,
      hiddenAt: row.hidden_at,
      hiddenReason: row.hidden_reason,
      changedSince: row.changed_since,
    }),
  )

const turnShapes = [cursorShapes.time, cursorShapes.id]

const opinionsOf = (db: Db, serviceId: string, { zone }: ListOptions) =>
  db
    .selectFrom('evaluation')
    .select(['id', 'stars', 'comment', 'reply', 'hidden_at', 'hidden_reason'])
    .select([
      opinionEtag.as('etag'),
      exactTime('updated_at').as('exact'),
      sql<string>`to_char(updated_at at time zone ${zone}, 'YYYY-MM-DD')`.as('day'),
      sql<boolean>`coalesce(updated_at > hidden_at, false)`.as('changed_since'),
    ])
    .where('service_id', '=', serviceId)
type OpinionRow = Awaited<ReturnType<ReturnType<typeof opinionsOf>['execute']>>[number]

async function pageOfOpinions<T>(
  db: Db,
  pictures: Pictures,
  opinions: ReturnType<typeof opinionsOf>,
  { query }: ListOptions,
  toSummary: (opinion: Opinion, row: OpinionRow) => T,
) {
  const turn = hybridPageOf(query, turnShapes)
  let page = opinions
  if (turn.after) {
    const [time, id] = turn.after
    page = page.where(sql<boolean>`(updated_at, id) < (${time}::timestamptz, ${id}::bigint)`)
  }
  const rows = await page
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(turn.limit)
    .offset(turn.offset)
    .execute()
  const photos = await photosOf(
    db,
    pictures,
    rows.map((row) => row.id),
  )
  return cursorPage(
    rows,
    turn.pageSize,
    (row) => [row.exact, row.id],
    (row) => {
      const { id, stars, comment, reply, day } = row
      return toSummary({ id, stars, comment, photos: photos.get(id) ?? [], reply, day }, row)
    },
  )
}

/** Services the member has used, most recent first, with the member's stars. */
export async function listObjects(
  db: Db,
  viewer: Member,
  page: { offset: number; pageSize: number },
) {
  const usedServices = visibleServices(db, viewer)
    .innerJoin('service_use', 'service_use.service_id', 'service.id')
    .where('service_use.account_id', '=', viewer.accountId)
  const [{ total }, list] = await Promise.all([
    usedServices.select(sql<number>`count(*)::integer`.as('total')).executeTakeFirstOrThrow(),
    usedServices
      .leftJoin('evaluation', (join) =>
        join
          .onRef('evaluation.service_id', '=', 'service.id')
          .on('evaluation.account_id', '=', viewer.accountId),
      )
      .select(objectColumns)
      .select('evaluation.stars')
      .orderBy('service_use.last_used_at', 'desc')
      .orderBy('service.id')
      .limit(page.pageSize)
      .offset(page.offset)
      .execute(),
  ])
  return { list, total }
}

/** An opinion with the path of the organisation responsible for its service. */
export const findOpinion = (db: Db, id: string) =>
  db
    .selectFrom('evaluation')
    .innerJoin('service', 'service.id', 'evaluation.service_id')
    .leftJoin('organization', 'organization.id', 'service.organization_id')
    .select(['evaluation.id', 'organization.path'])
    .where('evaluation.id', '=', id)
    .executeTakeFirst()

/** @param etag of the text that is answered; undefined: any. @returns whether the opinion exists with this text */
export const updateReply = async (db: Db, id: string, reply: string, etag: string | undefined) =>
  (
    await db
      .updateTable('evaluation')
      .set({ reply, replied_at: reply ? sql<string>`now()` : null })
      .where('id', '=', id)
      .$if(etag !== undefined, (query) => query.where(opinionEtag, '=', etag as string))
      .executeTakeFirst()
  ).numUpdatedRows > 0n

/**
 * Hides an opinion's comment and photos, or shows them again.
 * @param reason empty: show again
 * @returns whether the opinion exists
 */
export const updateHidden = async (db: Db, id: string, reason: string) =>
  (await db
    .updateTable('evaluation')
    .set({ hidden_at: reason ? sql<string>`now()` : null, hidden_reason: reason })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined
