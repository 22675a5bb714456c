import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'

type Serve = (scope: FastifyInstance) => unknown

/** For endpoints that read cookies: only sign-in uses them, so other requests are not parsed for them. */
export const withCookies = (app: FastifyInstance, serve: Serve) =>
  app.register(async (scope) => {
    await scope.register(cookie)
    await serve(scope)
  })

/** For endpoints whose handlers read an upload as a stream. */
export const withMultipart = (app: FastifyInstance, serve: Serve) =>
  app.register(async (scope) => {
    scope.addContentTypeParser('multipart/form-data', (_request, payload, done) =>
      done(null, payload),
    )
    await serve(scope)
  })

/** For endpoints that receive XML from old clients under any content type: the body is `{ xml }`. */
export const withXmlBody = (app: FastifyInstance, serve: Serve) =>
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: 16_000 },
      (_request, xml, done) => done(null, { xml }),
    )
    await serve(scope)
  })
