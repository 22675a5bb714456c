import type { FastifyReply, FastifyRequest } from 'fastify'
import SCIMMY from 'scimmy'
import { sqlState } from '#platform/database/db.ts'
import { logOutage, outageOf } from '#platform/database/outage.ts'
import { ScimError } from './scim-error.ts'
import { type Resource, versionOf } from './users.ts'

export const scimMediaType = 'application/scim+json'
export const maxPerPage = 200

export const queryOf = (request: FastifyRequest) => request.query as Record<string, unknown>

export const send = (reply: FastifyReply, status: number, body: unknown) =>
  reply.code(status).type(`${scimMediaType}; charset=utf-8`).send(JSON.stringify(body))

export function sendResource(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  resource: Resource,
) {
  reply.header('etag', versionOf(resource))
  return send(reply, status, readProjection(queryOf(request)).apply(resource))
}

/** Applies `attributes` and `excludedAttributes` to top-level attributes; id, schemas and meta are always returned. */
export function readProjection(query: Record<string, unknown>) {
  const names = (value: unknown) =>
    typeof value === 'string' && value !== ''
      ? value.split(',').map((name) => name.trim().split(/[.[]/)[0]?.toLowerCase() ?? '')
      : undefined
  const included = names(query.attributes)
  const excluded = names(query.excludedAttributes)
  const shows = (name: string) => {
    const key = name.toLowerCase()
    if (['id', 'schemas', 'meta'].includes(key)) return true
    if (included) return included.some((one) => one === key || one.startsWith(`${key}:`))
    return !excluded?.includes(key)
  }
  return {
    shows,
    apply: (resource: Resource) =>
      Object.fromEntries(Object.entries(resource).filter(([name]) => shows(name))),
  }
}

/** Reads the paging parameters. Invalid numbers are ignored, and a startIndex below 1 means 1 (RFC 7644 §3.4.2.4). */
export function readPaging(query: Record<string, unknown>) {
  const number = (value: unknown, initial: number) =>
    typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : initial
  const startIndex = Math.max(1, number(query.startIndex, 1))
  const count = Math.min(maxPerPage, Math.max(0, number(query.count, 100)))
  return { offset: startIndex - 1, count, startIndex }
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const issue = toScimError(error)
  const outage = outageOf(error)
  if (outage) logOutage(request.log, outage, error)
  if (issue.status === 500) request.log.error({ err: error }, 'a SCIM request failed')
  return send(reply, issue.status, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(issue.status),
    ...(issue.scimType && { scimType: issue.scimType }),
    detail: issue.message,
  })
}

function toScimError(error: unknown): ScimError {
  if (error instanceof ScimError) return error
  if (error instanceof SCIMMY.Types.Error) {
    const { status, scimType, message } = error as {
      status: number
      scimType: string
      message: string
    }
    return new ScimError(status, scimType || undefined, message)
  }
  const outage = outageOf(error)
  if (outage === 'full')
    return new ScimError(507, undefined, 'Storage is full, so nothing can be saved.')
  if (outage)
    return new ScimError(
      503,
      undefined,
      'The service is temporarily unavailable. Please try again.',
    )
  if (sqlState(error)?.startsWith('22'))
    return new ScimError(400, 'invalidValue', 'A value cannot be stored.')
  const { statusCode, message = '' } = error as { statusCode?: number; message?: string }
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return new ScimError(statusCode, statusCode === 400 ? 'invalidSyntax' : undefined, message)
  return new ScimError(500, undefined, 'Something went wrong on the server.')
}
