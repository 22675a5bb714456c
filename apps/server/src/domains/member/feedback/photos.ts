import { feedbackPhotos, maxPhotoBytes } from '@atrium/contract/member/feedback'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { photoType, redrawPhoto, toPhoto, withPhotoBodies } from '#domains/content/images/photos.ts'
import { type Db, sqlState } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import { type Handlers, type Host, serve } from '#platform/http/serve.ts'
import { type Pictures, picturesOf } from '#platform/images/pictures.ts'
import type { Files } from '#platform/storage/files.ts'
import { requireFeedback } from './access.ts'

/** Of one member a day: several albums, and no storage for anything else. */
const maxADay = 60

export const serveFeedbackPhotos = (app: FastifyInstance, host: Host) =>
  withPhotoBodies(app, host, maxPhotoBytes, (scope) =>
    serve(scope, host, feedbackPhotos, photoHandlers),
  )

const photoHandlers: Handlers<typeof feedbackPhotos> = {
  async add({ viewer: { accountId }, request, platform }) {
    await requireFeedback(platform)
    const picture = await redrawPhoto(request.body, 'feedback.photo_unreadable')
    const { id, fileId } = await platform.db.transaction().execute(async (db) => {
      // Many at once count one after the other.
      await sql`select from account where id = ${accountId} for no key update`.execute(db)
      const { count } = await db
        .selectFrom('feedback_upload')
        .select(sql<number>`count(*)::integer`.as('count'))
        .where('account_id', '=', accountId)
        .where('created_at', '>', sql<string>`now() - interval '1 day'`)
        .executeTakeFirstOrThrow()
      if (count >= maxADay) fail('feedback.photos_too_many', { retryAfter: 3600 })
      const fileId = await platform.files.keep(db, picture, {
        mediaType: photoType,
        isPublic: false,
      })
      const { id } = await db
        .insertInto('feedback_upload')
        .values({ account_id: accountId, file_id: fileId })
        .onConflict((conflict) =>
          conflict.columns(['file_id', 'account_id']).doUpdateSet({ created_at: sql`now()` }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, fileId }
    })
    return toPhoto(await picturesOf(platform), id, fileId, photoType)
  },
}

/** Attaches own uploads. In a transaction. @throws feedback.photo_not_found */
export async function attachPhotos(
  db: Db,
  accountId: string,
  feedbackId: string,
  uploadIds: readonly string[],
) {
  if (uploadIds.length === 0) return
  const { rows } = await sql`
    insert into feedback_photo (feedback_id, upload_id, position)
    select ${feedbackId}, upload.id, position
    from unnest(${uploadIds as string[]}::bigint[]) with ordinality as wanted (id, position)
    join feedback_upload upload on upload.id = wanted.id and upload.account_id = ${accountId}
    returning upload_id`.execute(db)
  if (rows.length < uploadIds.length) fail('feedback.photo_not_found')
}

/** Photos by the feedback that shows them. */
export async function photosOf(db: Db, pictures: Pictures, feedbackIds: readonly string[]) {
  const found = new Map<string, ReturnType<typeof toPhoto>[]>()
  if (feedbackIds.length === 0) return found
  const rows = await db
    .selectFrom('feedback_photo as photo')
    .innerJoin('feedback_upload as upload', 'upload.id', 'photo.upload_id')
    .innerJoin('file', 'file.id', 'upload.file_id')
    .select(['photo.feedback_id', 'upload.id', 'upload.file_id', 'file.media_type'])
    .where('photo.feedback_id', '=', sql<string>`any(${feedbackIds as string[]}::bigint[])`)
    .orderBy('photo.position')
    .execute()
  for (const row of rows) {
    const photos = found.get(row.feedback_id) ?? []
    photos.push(toPhoto(pictures, row.id, row.file_id, row.media_type))
    found.set(row.feedback_id, photos)
  }
  return found
}

/** Takes away photos that no feedback shows, a day after they came. */
export async function clearPhotos({ db, files }: { db: Db; files: Files }) {
  const { rows } = await sql<{ file_id: string }>`
    delete from feedback_upload upload where created_at < now() - interval '1 day'
      and not exists (select from feedback_photo photo where photo.upload_id = upload.id)
    returning file_id::text`.execute(db)
  for (const { file_id } of rows) {
    try {
      await files.remove(db, file_id)
    } catch (error) {
      // Something else shows the same picture.
      if (sqlState(error) !== '23503') throw error
    }
  }
}
