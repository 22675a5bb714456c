import type { ErrorCode } from '@atrium/contract/errors'
import type { FastifyInstance } from 'fastify'
import { fail, Refusal } from '#platform/http/errors.ts'
import { type Host, tokenOf } from '#platform/http/serve.ts'
import type { Pictures } from '#platform/images/pictures.ts'
import { makePicture } from './make.ts'

/** Pixels of the longer side of what is kept. */
const longest = 1600
const kinds = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']

/** Of a photo as we keep it. */
export const photoType = 'image/webp'

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

/**
 * A photo as we draw it again: what the file said of camera and place is gone.
 * @param unreadable what is answered where it is no picture
 */
export async function redrawPhoto(body: unknown, unreadable: ErrorCode): Promise<Buffer> {
  if (!Buffer.isBuffer(body)) return fail(unreadable)
  return makePicture(
    body,
    { fitIn: true, width: longest, height: longest, source: '' },
    'webp',
  ).catch((error: unknown) => {
    if (error instanceof Refusal && /unsupported|too_large/.test(error.code)) fail(unreadable)
    throw error
  })
}

/** Its addresses, for those it is shown to. */
export function toPhoto(pictures: Pictures, id: string, fileId: string, mediaType: string) {
  const file = { id: fileId, is_public: false, media_type: mediaType }
  return { id, url: pictures.address('wide', file), thumbnail: pictures.address('icon', file) }
}
