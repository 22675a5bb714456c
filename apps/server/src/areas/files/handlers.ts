import type { files } from '@atrium/contract/files'
import { fail } from '#platform/errors.ts'
import type { Context, Handlers } from '#platform/serve.ts'

export const fileHandlers: Handlers<typeof files> = {
  read: (context) => send(context),
  readNamed: (context) => send(context),
}

async function send(
  context: Pick<Context<typeof files.read>, 'db' | 'platform' | 'params' | 'query' | 'reply'>,
) {
  const { db, platform, params, query, reply } = context
  const file = await db
    .selectFrom('file')
    .select(['sha256', 'media_type', 'byte_size', 'is_public'])
    .where('id', '=', params.id)
    .executeTakeFirst()
  if (
    !file ||
    !(file.is_public || platform.files.isSigned(params.id, query.expires, query.signature))
  )
    fail('file.not_found')
  reply.headers({
    'content-type': file.media_type,
    'content-length': file.byte_size,
    // Content never changes under a key.
    'cache-control': file.is_public
      ? 'public, max-age=31536000, immutable'
      : 'private, max-age=600',
    etag: `"${file.sha256.slice(0, 32)}"`,
    // Whatever was uploaded, it is a picture or a download here, never a page of our origin.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  })
  return reply.send(platform.files.read(file.sha256)) as never
}
