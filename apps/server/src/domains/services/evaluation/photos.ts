import {
  type Evaluation,
  evaluationPhotos,
  maxPhotoBytes,
} from '@atrium/contract/services/evaluation'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { photoType, redrawPhoto, toPhoto, withPhotoBodies } from '#domains/content/images/photos.ts'
import { type Db, sqlState } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import { type Handlers, type Host, serve } from '#platform/http/serve.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import type { Files } from '#platform/storage/files.ts'

/** Of one member a day: several albums, and no storage for anything else. */
const maxADay = 60
/** The one endpoint whose body is a picture. */
export const serveEvaluationPhotos = (app: FastifyInstance, host: Host) =>
  withPhotoBodies(app, host, maxPhotoBytes, (scope) =>
    serve(scope, host, evaluationPhotos, photoHandlers),
  )

const photoHandlers: Handlers<typeof evaluationPhotos> = {
  async add({ viewer, request, platform }) {
    return keepPhoto(platform, viewer.accountId, request.body)
  },
}

/** Keeps a photo as we draw it again; what is no picture is refused. */
async function keepPhoto(
  platform: Platform,
  accountId: string,
  body: unknown,
): Promise<Evaluation['photos'][number]> {
  const picture = await redrawPhoto(body, 'evaluation.photo_unreadable')
  const { id, fileId } = await platform.db.transaction().execute(async (db) => {
    // Many at once count one after the other.
    await sql`select from account where id = ${accountId} for no key update`.execute(db)
    const { count } = await db
      .selectFrom('evaluation_upload')
      .select(sql<number>`count(*)::integer`.as('count'))
      .where('account_id', '=', accountId)
      .where('created_at', '>', sql<string>`now() - interval '1 day'`)
      .executeTakeFirstOrThrow()
    if (count >= maxADay) fail('evaluation.photos_too_many', { retryAfter: 3600 })
    const fileId = await platform.files.keep(db, picture, {
      mediaType: photoType,
      isPublic: false,
    })
    const { id } = await db
      .insertInto('evaluation_upload')
      .values({ account_id: accountId, file_id: fileId })
      .onConflict((conflict) =>
        conflict.columns(['file_id', 'account_id']).doUpdateSet({ created_at: sql`now()` }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, fileId }
  })
  return toPhoto(await picturesOf(platform), id, fileId, photoType)
}

/** Takes away photos that no opinion shows, a day after they came. */
export async function clearPhotos({ db, files }: { db: Db; files: Files }) {
  const rows = await db
    .deleteFrom('evaluation_upload as upload')
    .where('created_at', '<', sql<string>`now() - interval '1 day'`)
    .where((where) =>
      where.not(
        where.exists((query) =>
          query
            .selectFrom('evaluation_photo as photo')
            .select('photo.upload_id')
            .whereRef('photo.upload_id', '=', 'upload.id'),
        ),
      ),
    )
    .returning('upload.file_id')
    .execute()
  for (const { file_id } of rows) {
    try {
      await files.remove(db, file_id)
    } catch (error) {
      // Something else shows the same picture.
      if (sqlState(error) !== '23503') throw error
    }
  }
}
