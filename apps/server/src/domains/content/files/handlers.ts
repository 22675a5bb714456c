import type { files } from '@atrium/contract/content/files'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Viewer } from '#platform/http/guard.ts'
import { cursorPage, cursorShapes, pageSizeOf, readCursor } from '#platform/http/paging.ts'
import type { Context, Handlers } from '#platform/http/serve.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { fileTitles } from '#platform/storage/file-titles.ts'
import { isShownToGuests } from '#platform/storage/file-use.ts'
import { usedBytes } from '#platform/storage/files.ts'
import { describeFile } from './describe.ts'
import { boundaryOf } from './multipart.ts'
import { previewOf } from './preview.ts'
import { disownFile, findFile, isReferenced, listOwnFiles } from './queries.ts'
import { receiveFile } from './receive.ts'
import { sendFile } from './send-file.ts'
import { storeUpload, uploadLimits } from './take-upload.ts'

export const fileHandlers: Handlers<typeof files> = {
  async upload({ platform, viewer, request }) {
    const boundary =
      boundaryOf(request.headers['content-type']) ?? fail('request.unsupported_media')
    const { largest } = await uploadLimits(platform)
    // Refuse early if the length is declared; the form's own lines are added to the limit.
    if (Number(request.headers['content-length'] ?? 0) > largest + 100_000) fail('file.too_large')
    const part = await receiveFile(request.raw, boundary, {
      field: 'file',
      folder: platform.files.partsFolder,
      maxBytes: largest,
    })
    const id = await storeUpload(platform, viewer, part)
    const row = (await findFile(platform.db, id)) ?? fail('file.not_found')
    return describeFile(platform.files, row)
  },

  async mine({ db, platform, viewer, query }) {
    const [before] = readCursor(query.cursor, [cursorShapes.id]) ?? []
    const pageSize = pageSizeOf(query)
    const rows = await listOwnFiles(db, viewer.accountId, before, pageSize + 1)
    const { largest, quota } = await uploadLimits(platform)
    return {
      ...cursorPage(
        rows,
        pageSize,
        ({ id }) => [id],
        (row) => describeFile(platform.files, row),
      ),
      usedBytes: await usedBytes(db, viewer.accountId),
      quotaBytes: quota,
      maxFileBytes: largest,
    }
  },

  async remove({ db, platform, viewer, params }) {
    const file = await findFile(db, params.id)
    if (!file || file.owner_account_id !== viewer.accountId) return fail('file.not_found')
    if (await isReferenced(db, file.id)) fail('file.in_use')
    await platform.db.transaction().execute((db) => disownFile(db, file.id))
    return null
  },

  async preview({ db, platform, viewer, params, query }) {
    const file = await findFile(db, params.id)
    const lasting =
      file !== undefined &&
      (file.is_public ||
        (viewer.accountId !== null && file.owner_account_id === viewer.accountId) ||
        (await isShownToGuests(db, file.id)))
    const { expires, signature } = query
    if (!file || !(lasting || platform.files.isSigned(file.id, expires, signature)))
      return fail('file.not_found')
    if (!file.scanned) fail('file.held')
    if ((await currentSettings(platform)).enableFilePreview !== '1') fail('file.preview_off')
    const preview = await previewOf(platform, file, lasting, lasting ? undefined : expires)
    return { ...preview, ...(file.name === null && (await findTitle(db, viewer, file.id))) }
  },

  read: (context) => send(context),
  readNamed: (context) => send(context),
}

async function findTitle(db: Db, viewer: Viewer, fileId: string) {
  for (const find of fileTitles.all()) {
    const found = await find(db, viewer, fileId)
    if (found) return found
  }
  return undefined
}

async function send(
  context: Pick<
    Context<typeof files.read>,
    'db' | 'platform' | 'params' | 'query' | 'request' | 'reply'
  >,
) {
  const { db, platform, params, query, request, reply } = context
  const file = await findFile(db, params.id)
  if (!file?.scanned) return fail('file.not_found')
  const caching = file.is_public
    ? 'immutable'
    : platform.files.isSigned(file.id, query.expires, query.signature)
      ? 'private'
      : (await isShownToGuests(db, file.id))
        ? 'shared'
        : fail('file.not_found')
  return sendFile(platform.files, file, {
    request,
    reply,
    caching,
    download: query.download === '1',
  })
}
