import { evaluationPhotos, maxPhotoBytes } from '@atrium/contract/services/evaluation'
import type { FastifyInstance } from 'fastify'
import { receivePhoto, withPhotoBodies } from '#domains/content/images/photos.ts'
import { type Handlers, type Host, serve } from '#platform/http/serve.ts'

export const opinionPhotos = { uploads: 'evaluation_upload', shown: 'evaluation_photo' }

/** Registers the only endpoint here with an image as its body. */
export const serveEvaluationPhotos = (app: FastifyInstance, host: Host) =>
  withPhotoBodies(app, host, maxPhotoBytes, (scope) =>
    serve(scope, host, evaluationPhotos, photoHandlers),
  )

const photoHandlers: Handlers<typeof evaluationPhotos> = {
  add: ({ viewer, request, platform }) =>
    receivePhoto(platform, viewer.accountId, request.body, opinionPhotos),
}
