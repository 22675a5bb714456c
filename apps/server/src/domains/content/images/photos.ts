import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { sqlState } from '#platform/database/db.ts'
import { fail, Refusal } from '#platform/http/errors.ts'
import { type Host, tokenOf } from '#platform/http/serve.ts'
import { type Pictures, picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import { makePicture } from './make.ts'

/** Longer side in pixels of a stored photo. */
const maxSide = 1600
const acceptedTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']

/** Media type of stored photos. */
const mediaType = 'image/webp'

/**
 * Registers endpoints whose body is a picture. The caller is authenticated before the body is read, and its size is
 * limited.
 * @param maxBytes of the body
 */
export const withPhotoBodies = (
  app: FastifyInstance,
  host: Host,
  maxBytes: number,
  register: (scope: FastifyInstance) => void,
) =>
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      const viewer = await host.platform?.guard.viewerOf(tokenOf(request))
      if (viewer && !viewer.signedIn) fail('session.required')
    })
    for (const kind of acceptedTypes)
      scope.addContentTypeParser(
        kind,
        { parseAs: 'buffer', bodyLimit: maxBytes },
        (_request, bytes, done) => done(null, bytes),
      )
    register(scope)
  })

/** Tables of an area's photos: uploads, and references from its content. Both have the columns used here. */
export type PhotoTables = { uploads: string; shown: string }

/** Per member, area and day: enough for several albums, too little to misuse as storage. */
const maxPerDay = 60

/**
 * Stores a member's photo until some content references it.
 * @throws photo.unreadable, photo.too_many
 */
export async function receivePhoto(
  platform: Platform,
  accountId: string,
  body: unknown,
  { uploads }: PhotoTables,
) {
  const table = sql.table(uploads)
  const picture = await reencode(body)
  const { id, fileId } = await platform.db.transaction().execute(async (db) => {
    // Serialise concurrent uploads of the same member.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${uploads} ${accountId}`}, 0))`.execute(
      db,
    )
    const recent = await sql<{ count: number }>`
      select count(*)::integer as count from ${table}
      where account_id = ${accountId} and created_at > now() - interval '1 day'`.execute(db)
    if ((recent.rows[0]?.count ?? 0) >= maxPerDay) fail('photo.too_many', { retryAfter: 3600 })
    const fileId = await platform.files.keep(db, picture, { mediaType, isPublic: false })
    const { rows } = await sql<{ id: string }>`
      insert into ${table} (account_id, file_id) values (${accountId}, ${fileId})
      on conflict (file_id, account_id) do update set created_at = now()
      returning id`.execute(db)
    return { id: rows[0]?.id ?? '', fileId }
  })
  return toPhoto(await picturesOf(platform), id, fileId, mediaType)
}

/** Re-encodes a photo, which removes camera and location metadata. */
async function reencode(body: unknown): Promise<Buffer> {
  if (!Buffer.isBuffer(body)) return fail('photo.unreadable')
  const size = { fitIn: true, width: maxSide, height: maxSide, source: '' }
  return makePicture(body, size, 'webp').catch((error: unknown) => {
    if (error instanceof Refusal && /unsupported|too_large/.test(error.code))
      fail('photo.unreadable')
    throw error
  })
}

/** Deletes photos that nothing references a day after their upload. */
export async function clearPhotos(
  { db, files }: Pick<Platform, 'db' | 'files'>,
  { uploads, shown }: PhotoTables,
) {
  const { rows } = await sql<{ file_id: string }>`
    delete from ${sql.table(uploads)} upload where created_at < now() - interval '1 day'
      and not exists (select from ${sql.table(shown)} photo where photo.upload_id = upload.id)
    returning file_id::text`.execute(db)
  for (const { file_id } of rows) {
    try {
      await files.remove(db, file_id)
    } catch (error) {
      // Something else references the same file.
      if (sqlState(error) !== '23503') throw error
    }
  }
}

/** The addresses of a photo, for those who may see it. */
export function toPhoto(pictures: Pictures, id: string, fileId: string, mediaType: string) {
  const file = { id: fileId, is_public: false, media_type: mediaType }
  return { id, url: pictures.address('wide', file), thumbnail: pictures.address('icon', file) }
}
