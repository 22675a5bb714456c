import { feedbackPhotos, maxPhotoBytes } from '@atrium/contract/member/feedback'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { receivePhoto, toPhoto, withPhotoBodies } from '#domains/content/images/photos.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import { type Handlers, type Host, serve } from '#platform/http/serve.ts'
import type { Pictures } from '#platform/images/pictures.ts'
import { requireFeedback } from './access.ts'

export const feedbackPhotoTables = { uploads: 'feedback_upload', shown: 'feedback_photo' }

export const serveFeedbackPhotos = (app: FastifyInstance, host: Host) =>
  withPhotoBodies(app, host, maxPhotoBytes, (scope) =>
    serve(scope, host, feedbackPhotos, photoHandlers),
  )

const photoHandlers: Handlers<typeof feedbackPhotos> = {
  async add({ viewer, request, platform }) {
    await requireFeedback(platform)
    return receivePhoto(platform, viewer.accountId, request.body, feedbackPhotoTables)
  },
}

/** Attaches the member's own uploads. Call in a transaction. @throws feedback.photo_not_found */
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

/** Photos grouped by feedback. */
export async function photosOf(db: Db, pictures: Pictures, feedbackIds: readonly string[]) {
  const photosByFeedback = new Map<string, ReturnType<typeof toPhoto>[]>()
  if (feedbackIds.length === 0) return photosByFeedback
  const rows = await db
    .selectFrom('feedback_photo as photo')
    .innerJoin('feedback_upload as upload', 'upload.id', 'photo.upload_id')
    .innerJoin('file', 'file.id', 'upload.file_id')
    .select(['photo.feedback_id', 'upload.id', 'upload.file_id', 'file.media_type'])
    .where('photo.feedback_id', '=', sql<string>`any(${feedbackIds as string[]}::bigint[])`)
    .orderBy('photo.position')
    .execute()
  for (const row of rows) {
    const photos = photosByFeedback.get(row.feedback_id) ?? []
    photos.push(toPhoto(pictures, row.id, row.file_id, row.media_type))
    photosByFeedback.set(row.feedback_id, photos)
  }
  return photosByFeedback
}
