import { endpoints } from '@atrium/contract'
import type { Endpoint } from '@atrium/contract/define'
import { errors } from '@atrium/contract/errors'

type Json = Record<string, unknown>

/** The contract as an OpenAPI 3.1 document. Schemas with a name stand once, under components. */
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
        requestId: { type: 'string' },
        fields: { type: 'object', additionalProperties: { type: 'string' } },
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
        'Answers are `{ code: 0, message, data }`; errors have a non-zero `code` (the HTTP status) and a stable name in `error`. Bodies come as JSON or form-urlencoded.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: origin }],
    tags: Object.keys(endpoints).map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: { idToken: { type: 'apiKey', in: 'header', name: 'X-Id-Token' } },
    },
  }
}

/** `member`, or `operator of content`. */
const accessOf = ({ access, permission }: Endpoint) =>
  permission ? `${access} of ${permission}` : access

function operation(
  area: string,
  name: string,
  endpoint: Endpoint,
  named: (schema: unknown) => unknown,
): Json {
  const parameters = [
    ...fields(endpoint.params).map((field) => ({ ...field, in: 'path', required: true })),
    ...fields(endpoint.query).map((field) => ({ ...field, in: 'query' })),
  ].map((parameter) => ({ ...parameter, schema: named(parameter.schema) }))
  const body = endpoint.body && named(endpoint.body)
  const form = endpoint.file && {
    type: 'object',
    required: [endpoint.file],
    properties: { [endpoint.file]: { type: 'string', format: 'binary' } },
  }
  const reply = named(endpoint.reply)
  const statuses = new Set([
    400,
    ...(endpoint.access === 'public' ? [] : [401]),
    ...(endpoint.permission ? [403] : []),
    ...(endpoint.errors ?? []).map((code) => errors[code]),
  ])
  return {
    operationId: `${area}.${name}`,
    tags: [area],
    summary: endpoint.summary,
    description: [
      `Access: ${accessOf(endpoint)}.`,
      ...(endpoint.errors ? [`Errors: ${endpoint.errors.join(', ')}.`] : []),
    ].join(' '),
    ...(endpoint.access !== 'public' && {
      security: endpoint.access === 'guest' ? [{}, { idToken: [] }] : [{ idToken: [] }],
    }),
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
        description: 'done',
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
        [...statuses].map((status) => [
          status,
          {
            description: 'refused',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    },
  }
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
