import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { sqlState } from '#platform/database/db.ts'
import { fail, Refusal } from '#platform/http/errors.ts'
import { type Host, tokenOf } from '#platform/http/serve.ts'
import { type Pictures, picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import { makePicture } from './make.ts'

/** Pixels of the longer side of what is kept. */
const longest = 1600
const kinds = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']

/** Of a photo as we keep it. */
const mediaType = 'image/webp'

/**
 * Endpoints whose body is a picture. Nobody's bytes are read before it is known who sends them, nor more than are taken.
 * @param largest bytes
 */
export const withPhotoBodies = (
  app: FastifyInstance,
  host: Host,
  largest: number,
  serveThem: (scope: FastifyInstance) => void,
) =>
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      const viewer = await host.platform?.guard.viewerOf(tokenOf(request))
      if (viewer && !viewer.signedIn) fail('session.required')
    })
    for (const kind of kinds)
      scope.addContentTypeParser(
        kind,
        { parseAs: 'buffer', bodyLimit: largest },
        (_request, bytes, done) => done(null, bytes),
      )
    serveThem(scope)
  })

/** Photos of an area: what members have sent, and what shows some of it. Both have the columns that are used here. */
export type PhotoTables = { uploads: string; shown: string }

/** Of one member and area a day: several albums, and no storage for anything else. */
const maxADay = 60

/**
 * Keeps what a member sent, until something shows it.
 * @throws photo.unreadable, photo.too_many
 */
export async function receivePhoto(
  platform: Platform,
  accountId: string,
  body: unknown,
  { uploads }: PhotoTables,
) {
  const table = sql.table(uploads)
  const picture = await redraw(body)
  const { id, fileId } = await platform.db.transaction().execute(async (db) => {
    // Many at once count one after the other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${uploads} ${accountId}`}, 0))`.execute(
      db,
    )
    const sent = await sql<{ count: number }>`
      select count(*)::integer as count from ${table}
      where account_id = ${accountId} and created_at > now() - interval '1 day'`.execute(db)
    if ((sent.rows[0]?.count ?? 0) >= maxADay) fail('photo.too_many', { retryAfter: 3600 })
    const fileId = await platform.files.keep(db, picture, { mediaType, isPublic: false })
    const { rows } = await sql<{ id: string }>`
      insert into ${table} (account_id, file_id) values (${accountId}, ${fileId})
      on conflict (file_id, account_id) do update set created_at = now()
      returning id`.execute(db)
    return { id: rows[0]?.id ?? '', fileId }
  })
  return toPhoto(await picturesOf(platform), id, fileId, mediaType)
}

/** A photo as we draw it again: what the file said of camera and place is gone. */
async function redraw(body: unknown): Promise<Buffer> {
  if (!Buffer.isBuffer(body)) return fail('photo.unreadable')
  const size = { fitIn: true, width: longest, height: longest, source: '' }
  return makePicture(body, size, 'webp').catch((error: unknown) => {
    if (error instanceof Refusal && /unsupported|too_large/.test(error.code))
      fail('photo.unreadable')
    throw error
  })
}

/** Takes away photos that nothing shows, a day after they came. */
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
      // Something else shows the same picture.
      if (sqlState(error) !== '23503') throw error
    }
  }
}

/** Its addresses, for those it is shown to. */
export function toPhoto(pictures: Pictures, id: string, fileId: string, mediaType: string) {
  const file = { id: fileId, is_public: false, media_type: mediaType }
  return { id, url: pictures.address('wide', file), thumbnail: pictures.address('icon', file) }
}
