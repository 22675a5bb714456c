import { randomUUID } from 'node:crypto'
import type { ErrorEnvelope } from '@atrium/contract/define'
import type { ErrorCode } from '@atrium/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sqlState } from '#platform/database/db.ts'
import { logOutage, type Outage, outageOf } from '#platform/database/outage.ts'
import { errorPage, errorPolicy } from './error-page.ts'
import { errorText, fieldTexts, type IssueKind, invalidFields, Refusal } from './errors.ts'
import { languageOf } from './negotiation.ts'

/** The only place that turns an error into a response. Unexpected errors are logged with their request id. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  // The connection is closed or the response has started, for example during a download: nothing more can be sent.
  if (reply.raw.headersSent || reply.raw.destroyed) return
  const language = languageOf(request.headers['accept-language'])
  const { refusal, fields } = settleError(error, request, reply)
  const body: ErrorEnvelope = {
    code: refusal.status,
    error: refusal.code,
    message: errorText(refusal.code, language),
    data: null,
    requestId: request.id,
    ...(fields && { fields: fieldTexts(fields, language) }),
  }
  reply.type('application/json; charset=utf-8')
  return reply.send(JSON.stringify(body))
}

/** Like `answerError`, but responds with an HTML page if the client accepts one. */
export function showError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (reply.raw.headersSent || reply.raw.destroyed) return
  if (!request.headers.accept?.includes('text/html')) return answerError(error, request, reply)
  const { refusal } = settleError(error, request, reply)
  reply.header('content-security-policy', errorPolicy).type('text/html; charset=utf-8')
  return reply.send(errorPage(request.headers, refusal, request.id))
}

/** Sets the status and headers for an error and logs it. */
function settleError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { code, fields: faulty, retryAfter } = describe(error)
  const isValidation = (error as { validation?: unknown }).validation !== undefined
  const fields = isValidation ? { ...request.undeclared, ...faulty } : faulty
  const refusal = new Refusal(code)
  if (code === 'server.failed') request.log.error({ err: error }, 'request failed')
  const outage = error instanceof Refusal ? undefined : outageOf(error)
  if (outage) logOutage(request.log, outage, error)
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(retryAfter)))
  reply.code(refusal.status).header('cache-control', 'no-store')
  return { refusal, fields }
}

const duringOutage: Record<Outage, { code: ErrorCode; retryAfter: number }> = {
  away: { code: 'server.unavailable', retryAfter: 2 },
  full: { code: 'server.storage_full', retryAfter: 60 },
  'read-only': { code: 'server.read_only', retryAfter: 30 },
}

const byFastifyCode: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.unsupported_media',
}

function describe(error: unknown): {
  code: ErrorCode
  fields?: Record<string, IssueKind> | undefined
  retryAfter?: number | undefined
} {
  if (error instanceof Refusal) return error
  const outage = outageOf(error)
  if (outage) return duringOutage[outage]
  // A value the database cannot store (a NUL character, a number out of range) is the caller's mistake.
  if (sqlState(error)?.startsWith('22')) return { code: 'request.invalid' }
  const known = error as {
    validation?: Parameters<typeof invalidFields>[0]
    code?: string
    statusCode?: number
  }
  if (known.validation?.[0])
    return { code: 'request.invalid', fields: invalidFields(known.validation) }
  const mapped = byFastifyCode[known.code ?? '']
  if (mapped) return { code: mapped }
  if (known.statusCode === 429) return { code: 'request.too_many' }
  // Other 4xx errors of the HTTP layer (broken JSON, an undecodable path) are the caller's mistake; the rest are ours.
  if (known.statusCode && known.statusCode >= 400 && known.statusCode < 500)
    return { code: 'request.invalid' }
  return { code: 'server.failed' }
}

/** Accepts the caller's request id if it has 8 to 64 plain characters, because it is logged; otherwise creates one. */
export const requestId = (request: { headers: Record<string, string | string[] | undefined> }) => {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
}
