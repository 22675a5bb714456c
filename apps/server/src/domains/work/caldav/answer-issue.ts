import type { FastifyReply, FastifyRequest } from 'fastify'
import { logOutage, outageOf } from '#platform/database/outage.ts'
import { Refusal } from '#platform/http/errors.ts'
import { DavError } from './dav-error.ts'
import { cal, dav, element, escapeXml, xmlDocument } from './xml.ts'

/** Answers errors in the format of the protocol. */
export function answerIssue(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const issue = explain(error)
  const outage = outageOf(error)
  if (outage) logOutage(request.log, outage, error)
  if (issue.status === 500) request.log.error({ err: error }, 'a CalDAV request failed')
  if (issue.status === 401)
    reply.header('www-authenticate', 'Basic realm="Atrium", charset="UTF-8"')
  if (issue.retryAfter) reply.header('retry-after', String(issue.retryAfter))
  const message = element('urn:atrium', 'message', escapeXml(issue.message))
  return reply
    .code(issue.status)
    .type('application/xml; charset=utf-8')
    .send(xmlDocument(dav, 'error', [...(issue.condition ? [issue.condition] : []), message]))
}

function explain(error: unknown): DavError {
  if (error instanceof DavError) return error
  if (error instanceof Refusal)
    return new DavError(error.status, error.code, {
      ...(error.retryAfter && { retryAfter: error.retryAfter }),
    })
  const outage = outageOf(error)
  if (outage === 'full') return new DavError(507, 'Storage is full, so nothing can be saved.')
  if (outage)
    return new DavError(503, 'The service is temporarily unavailable. Please try again.', {
      retryAfter: 5,
    })
  const { statusCode, message = '' } = error as { statusCode?: number; message?: string }
  if (statusCode === 413)
    return new DavError(413, 'The body is too large.', {
      condition: element(cal, 'max-resource-size'),
    })
  if (statusCode && statusCode >= 400 && statusCode < 500) return new DavError(statusCode, message)
  return new DavError(500, 'Something went wrong on the server.')
}
