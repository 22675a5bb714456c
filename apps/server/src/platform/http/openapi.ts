import { endpoints } from '@atrium/contract'
import type { Endpoint } from '@atrium/contract/define'
import { errors } from '@atrium/contract/errors'

type Json = Record<string, unknown>

/** The contract as an OpenAPI 3.1 document. Named schemas are listed once, under components. */
export function openApiDocument(origin: string, version: string): Json {
  const schemas: Record<string, unknown> = {
    Error: {
      type: 'object',
      required: ['code', 'error', 'message', 'data', 'requestId'],
      properties: {
        code: { type: 'integer', description: 'the HTTP status' },
        error: { type: 'string', enum: Object.keys(errors) },
        message: { type: 'string', description: "in the caller's language (Accept-Language)" },
        data: { type: 'null' },
        requestId: { type: 'string', description: 'for finding the request in the log' },
        fields: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: "issues of the request by field, in the caller's language",
        },
      },
    },
  }
  const named = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(named)
    if (typeof schema !== 'object' || schema === null) return schema
    const { $id, ...rest } = schema as Json
    const body = Object.fromEntries(
      Object.entries(rest)
        .filter(([key]) => !key.startsWith('~'))
        .map(([key, value]) => [key, named(value)]),
    )
    if (typeof $id !== 'string') return body
    schemas[$id] = body
    return { $ref: `#/components/schemas/${$id}` }
  }
  const responses = Object.fromEntries(
    [...new Set<number>(Object.values(errors))].map((status) => [
      `Error${status}`,
      refusal(status),
    ]),
  )

  const paths: Record<string, Record<string, unknown>> = {}
  for (const [area, table] of Object.entries(endpoints)) {
    for (const [name, endpoint] of Object.entries(table as Record<string, Endpoint>)) {
      paths[endpoint.path] ??= {}
      ;(paths[endpoint.path] as Json)[endpoint.method.toLowerCase()] = operation(
        area,
        name,
        endpoint,
        named,
      )
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Atrium',
      version,
      description:
        'Responses are `{ code: 0, message, data }`; errors have a non-zero `code` (the HTTP status) and a stable name in `error`. Request bodies may be JSON or form-urlencoded.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: origin }],
    tags: Object.keys(endpoints).map((name) => ({ name })),
    paths,
    components: {
      schemas,
      responses,
      securitySchemes: { idToken: { type: 'apiKey', in: 'header', name: 'X-Id-Token' } },
    },
  }
}

/** for example `member` or `operator of content` */
const accessOf = ({ access, permission }: Endpoint) =>
  permission ? `${access} of ${permission}` : access

function operation(
  area: string,
  name: string,
  endpoint: Endpoint,
  named: (schema: unknown) => unknown,
): Json {
  const requested = (schema: unknown) => named(asRequest(schema))
  const parameters = [
    ...fields(endpoint.params).map((field) => ({ ...field, in: 'path', required: true })),
    ...fields(asRequest(endpoint.query)).map((field) => ({ ...field, in: 'query' })),
  ].map((parameter) => ({ ...parameter, schema: requested(parameter.schema) }))
  const body = endpoint.body && requested(endpoint.body)
  const form = endpoint.file && {
    type: 'object',
    required: [endpoint.file],
    properties: { [endpoint.file]: { type: 'string', format: 'binary' } },
  }
  const reply = named(endpoint.reply)
  const statuses = new Set<number>([
    400,
    ...anyEndpoint.map((code) => errors[code]),
    ...(endpoint.access === 'public' ? [] : [401]),
    ...(endpoint.permission ? [403] : []),
    ...(endpoint.errors ?? []).map((code) => errors[code]),
  ])
  return {
    operationId: `${area}.${name}`,
    tags: [area],
    summary: endpoint.summary,
    description: [
      ...(endpoint.description ? [endpoint.description] : []),
      `Access: ${accessOf(endpoint)}.`,
      ...(endpoint.errors ? [`Errors: ${endpoint.errors.join(', ')}.`] : []),
    ].join(' '),
    security: securityOf[endpoint.access],
    ...(parameters.length > 0 && { parameters }),
    ...(form && {
      requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } },
    }),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: body },
          'application/x-www-form-urlencoded': { schema: body },
        },
      },
    }),
    responses: {
      200: {
        description: 'success',
        content: endpoint.media
          ? { [endpoint.media]: { schema: reply } }
          : {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['code', 'message', 'data'],
                  properties: { code: { const: 0 }, message: { type: 'string' }, data: reply },
                },
              },
            },
      },
      ...Object.fromEntries(
        [...statuses].map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  }
}

/** The token an endpoint requires; `[]` states explicitly that none is needed. */
const securityOf: Record<Endpoint['access'], Json[]> = {
  public: [],
  guest: [{}, { idToken: [] }],
  member: [{ idToken: [] }],
  operator: [{ idToken: [] }],
  integration: [{ idToken: [] }],
}

/** Errors that any endpoint may return. */
const anyEndpoint = ['request.too_many', 'server.failed', 'server.unavailable'] as const

function refusal(status: number): Json {
  const waits = status === 429 || status === 503
  return {
    description: Object.entries(errors)
      .filter(([, value]) => value === status)
      .map(([code]) => code)
      .join(', '),
    ...(waits && {
      headers: {
        'Retry-After': { description: 'seconds to wait', schema: { type: 'integer' } },
      },
    }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}

/**
 * The request form of a schema: fields with a default are optional. In responses they are always present, so a named
 * schema that differs gets a second name.
 */
function asRequest<S>(schema: S): S {
  if (Array.isArray(schema)) return schema.map(asRequest) as S
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, ...rest } = schema as Json
  const request = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, asRequest(value)]),
  )
  const properties = (request.properties ?? {}) as Record<string, Json>
  if (Array.isArray(request.required))
    request.required = request.required.filter((name) => properties[name]?.default === undefined)
  if (typeof $id !== 'string') return request as S
  const same = JSON.stringify(request) === JSON.stringify(rest)
  return { ...request, $id: same ? $id : `${$id}Input` } as S
}

function fields(schema: unknown) {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, field]) => ({
    name,
    required: required.includes(name),
    schema: field,
    ...(typeof field.description === 'string' && { description: field.description }),
  }))
}
