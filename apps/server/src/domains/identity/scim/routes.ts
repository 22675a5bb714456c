import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import SCIMMY from 'scimmy'
import type { Database, Db } from '#platform/database/db.ts'
import type { Host } from '#platform/http/serve.ts'
import {
  maxPerPage,
  queryOf,
  readPaging,
  readProjection,
  scimMediaType,
  send,
  sendError,
  sendResource,
} from './answers.ts'
import { findClientByToken, type ScimClient } from './clients.ts'
import { type Filterable, readFilter } from './filter.ts'
import {
  createGroup,
  deleteGroup,
  getGroup,
  groupFilter,
  listGroups,
  lockGroup,
  patchGroup,
  replaceGroup,
} from './groups.ts'
import { notFound, ScimError } from './scim-error.ts'
import { userFilter } from './user-filter.ts'
import {
  createUser,
  deleteUser,
  getUser,
  type ListOrder,
  listUsers,
  lockUser,
  patchUser,
  type Resource,
  replaceUser,
  versionOf,
} from './users.ts'

const mount = '/scim/v2'
/** bytes; a group with thousands of members is sent in one request */
const bodyLimit = 2_000_000
type Kind = {
  name: 'Users' | 'Groups'
  filterable: Filterable
  get: (db: Db, client: ScimClient, id: string, baseUrl: string) => Promise<Resource>
  list: (
    db: Db,
    client: ScimClient,
    order: ListOrder,
    withMembers: boolean,
    baseUrl: string,
  ) => Promise<{ total: number; list: Resource[] }>
  lock: (db: Db, client: ScimClient, id: string) => Promise<void>
  create: (db: Db, client: ScimClient, body: unknown, baseUrl: string) => Promise<Resource>
  replace: (
    db: Db,
    client: ScimClient,
    id: string,
    body: unknown,
    baseUrl: string,
  ) => Promise<Resource>
  patch: (
    db: Db,
    client: ScimClient,
    resource: Resource,
    body: unknown,
    baseUrl: string,
  ) => Promise<Resource>
  remove: (db: Db, client: ScimClient, id: string) => Promise<void>
}

const kinds: Kind[] = [
  {
    name: 'Users',
    filterable: userFilter,
    get: getUser,
    list: (db, client, order, _, baseUrl) => listUsers(db, client, order, baseUrl),
    lock: lockUser,
    create: createUser,
    replace: replaceUser,
    patch: patchUser,
    remove: deleteUser,
  },
  {
    name: 'Groups',
    filterable: groupFilter,
    get: getGroup,
    list: listGroups,
    lock: lockGroup,
    create: createGroup,
    replace: replaceGroup,
    patch: (db, client, { id }, body, baseUrl) => patchGroup(db, client, id, body, baseUrl),
    remove: deleteGroup,
  },
]

/**
 * SCIM 2.0 (RFC 7643, 7644). Addresses, bodies and errors are defined by the protocol, so it is not part of the
 * contract.
 */
export async function serveScim(app: FastifyInstance, host: Host) {
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      for (const type of [scimMediaType, 'application/json'])
        scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit }, (_, text, done) => {
          try {
            done(null, JSON.parse(text as string))
          } catch {
            done(new ScimError(400, 'invalidSyntax', 'The body is not valid JSON.'))
          }
        })
      scope.setErrorHandler(sendError)
      const clients = new WeakMap<FastifyRequest, ScimClient>()
      // Authenticate before the body is read, so that unauthorised clients cannot send large bodies.
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store')
        clients.set(request, await authenticate(host, request, reply))
      })
      const contextOf = (request: FastifyRequest) => {
        const client = clients.get(request)
        if (!client || !host.platform)
          throw new ScimError(
            503,
            undefined,
            'The service is temporarily unavailable. Please try again.',
          )
        return { client, db: host.platform.db, baseUrl: `${host.platform.origin()}${mount}` }
      }
      serveDiscovery(scope, (request) => contextOf(request).baseUrl)
      for (const kind of kinds) serveKind(scope, kind, contextOf)
      const options = { bodyLimit, schema: { hide: true } as never }
      scope.post('/.search', options, async (request, reply) =>
        send(reply, 200, await search(kinds, contextOf(request), searchRequestOf(request.body))),
      )
      // A client is not a user, and bulk requests are not supported (RFC 7644 §3.11, §3.7).
      for (const path of ['/Me', '/Bulk'])
        scope.all(path, options, async () => {
          throw new ScimError(501, undefined, `${path} is not supported.`)
        })
      // A catch-all: otherwise the portal's page fallback would answer unknown paths.
      scope.all('/*', { schema: { hide: true } as never }, async () => {
        throw notFound()
      })
    },
    { prefix: mount },
  )
}

type ContextOf = (request: FastifyRequest) => { client: ScimClient; db: Database; baseUrl: string }

function serveKind(scope: FastifyInstance, kind: Kind, contextOf: ContextOf) {
  const options = { bodyLimit, schema: { hide: true } as never }
  const idOf = (request: FastifyRequest) => (request.params as { id: string }).id

  scope.get(`/${kind.name}`, options, async (request, reply) => {
    return send(reply, 200, await search([kind], contextOf(request), queryOf(request)))
  })
  scope.post(`/${kind.name}/.search`, options, async (request, reply) =>
    send(reply, 200, await search([kind], contextOf(request), searchRequestOf(request.body))),
  )

  scope.get(`/${kind.name}/:id`, options, async (request, reply) => {
    const { client, db, baseUrl } = contextOf(request)
    const resource = await kind.get(db, client, idOf(request), baseUrl)
    if (request.headers['if-none-match'] === versionOf(resource))
      return reply.code(304).header('etag', versionOf(resource)).send()
    return sendResource(request, reply, 200, resource)
  })

  scope.post(`/${kind.name}`, options, async (request, reply) => {
    const { client, db, baseUrl } = contextOf(request)
    const resource = await db
      .transaction()
      .execute((db) => kind.create(db, client, request.body, baseUrl))
    reply.header('location', (resource.meta as { location: string }).location)
    return sendResource(request, reply, 201, resource)
  })

  /** Changes one resource under its lock, after checking If-Match. */
  const change = (
    request: FastifyRequest,
    work: (
      db: Db,
      client: ScimClient,
      resource: Resource,
      baseUrl: string,
    ) => Promise<Resource | undefined>,
  ) => {
    const { client, db, baseUrl } = contextOf(request)
    return db.transaction().execute(async (db) => {
      await kind.lock(db, client, idOf(request))
      const resource = await kind.get(db, client, idOf(request), baseUrl)
      const expectedVersion = request.headers['if-match']
      if (expectedVersion && expectedVersion !== '*' && expectedVersion !== versionOf(resource))
        throw new ScimError(
          412,
          undefined,
          'The resource has been changed in the meantime. Read it again, then repeat the change.',
        )
      return work(db, client, resource, baseUrl)
    })
  }

  scope.put(`/${kind.name}/:id`, options, async (request, reply) => {
    const resource = await change(request, (db, client, { id }, baseUrl) =>
      kind.replace(db, client, id, request.body, baseUrl),
    )
    return sendResource(request, reply, 200, resource as Resource)
  })

  scope.patch(`/${kind.name}/:id`, options, async (request, reply) => {
    const resource = await change(request, (db, client, before, baseUrl) =>
      kind.patch(db, client, before, request.body, baseUrl),
    )
    return sendResource(request, reply, 200, resource as Resource)
  })

  scope.delete(`/${kind.name}/:id`, options, async (request, reply) => {
    await change(request, async (db, client, { id }) => {
      await kind.remove(db, client, id)
      return undefined
    })
    return reply.code(204).send()
  })
}

/** Converts a search request in a body (RFC 7644 §3.4.3) to query parameters. */
function searchRequestOf(body: unknown): Record<string, unknown> {
  const { schemas, attributes, excludedAttributes, filter, startIndex, count } = (body ??
    {}) as Record<string, unknown>
  const searchSchema = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
  if (!Array.isArray(schemas) || !schemas.includes(searchSchema))
    throw new ScimError(400, 'invalidSyntax', 'The body is not a SearchRequest.')
  if (filter !== undefined && typeof filter !== 'string')
    throw new ScimError(400, 'invalidFilter', 'The filter must be a text.')
  const names = (list: unknown) => {
    if (list === undefined) return undefined
    if (!Array.isArray(list) || !list.every((name) => typeof name === 'string'))
      throw new ScimError(400, 'invalidValue', 'Attributes must be a list of names.')
    return list.join(',')
  }
  const number = (value: unknown) => (value === undefined ? undefined : String(value))
  return {
    filter,
    attributes: names(attributes),
    excludedAttributes: names(excludedAttributes),
    startIndex: number(startIndex),
    count: number(count),
  }
}

/** Searches these kinds, one after the other, as one list. */
async function search(
  resourceKinds: readonly Kind[],
  { client, db, baseUrl }: ReturnType<ContextOf>,
  query: Record<string, unknown>,
) {
  const projection = readProjection(query)
  const { startIndex, offset, count } = readPaging(query)
  const resources: Resource[] = []
  let total = 0
  for (const { kind, condition } of conditionsOf(resourceKinds, query.filter)) {
    const order = {
      condition,
      offset: Math.max(0, offset - total),
      count: count - resources.length,
    }
    const { total: ofKind, list } = await kind.list(
      db,
      client,
      order,
      projection.shows('members'),
      baseUrl,
    )
    total += ofKind
    resources.push(...list)
  }
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources.map(projection.apply),
  }
}

/** A kind that lacks the filter's attributes has no results; a filter that fits no kind is an error. */
function conditionsOf(resourceKinds: readonly Kind[], filter: unknown) {
  if (typeof filter !== 'string')
    return resourceKinds.map((kind) => ({ kind, condition: undefined }))
  const issues: unknown[] = []
  const readable = resourceKinds.flatMap((kind) => {
    try {
      return [{ kind, condition: readFilter(filter, kind.filterable) }]
    } catch (error) {
      issues.push(error)
      return []
    }
  })
  if (readable.length === 0) throw issues[0]
  return readable
}

async function authenticate(host: Host, request: FastifyRequest, reply: FastifyReply) {
  if (!host.platform) {
    reply.header('retry-after', '2')
    throw new ScimError(503, undefined, 'The service is temporarily unavailable. Please try again.')
  }
  const token = /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '')?.[1]
  const client = token && (await findClientByToken(host.platform.db, token))
  if (client) return client
  reply.header('www-authenticate', 'Bearer realm="SCIM"')
  throw new ScimError(401, undefined, 'The token is missing or no longer valid.')
}

// ---- discovery endpoints ----

const core = 'urn:ietf:params:scim:schemas:core:2.0'

function serveDiscovery(scope: FastifyInstance, baseOf: (request: FastifyRequest) => string) {
  const { EnterpriseUser, Group, User } = SCIMMY.Schemas
  const options = { schema: { hide: true } as never }
  const schemas = (baseUrl: string) =>
    [User, Group, EnterpriseUser].map(({ definition }) => definition.describe(`${baseUrl}/Schemas`))
  const types = (baseUrl: string) =>
    [
      {
        id: 'User',
        endpoint: '/Users',
        schema: User.id,
        schemaExtensions: [{ schema: EnterpriseUser.id, required: false }],
      },
      { id: 'Group', endpoint: '/Groups', schema: Group.id },
    ].map((type) => ({
      schemas: [`${core}:ResourceType`],
      name: type.id,
      ...type,
      meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${type.id}` },
    }))
  const list = (Resources: readonly object[]) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: Resources.length,
    startIndex: 1,
    itemsPerPage: Resources.length,
    Resources,
  })
  const findById = <T extends { id: string }>(all: readonly T[], id: string) => {
    const found = all.find((each) => each.id === id)
    if (!found) throw notFound()
    return found
  }
  const idOf = (request: FastifyRequest) => (request.params as { id: string }).id

  scope.get('/ServiceProviderConfig', options, async (request, reply) =>
    send(reply, 200, {
      schemas: [`${core}:ServiceProviderConfig`],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: maxPerPage },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'Bearer token',
          description: 'A token that an operator made for this client',
          primary: true,
        },
      ],
      meta: {
        resourceType: 'ServiceProviderConfig',
        location: `${baseOf(request)}/ServiceProviderConfig`,
      },
    }),
  )
  scope.get('/Schemas', options, async (request, reply) =>
    send(reply, 200, list(schemas(baseOf(request)))),
  )
  scope.get('/Schemas/:id', options, async (request, reply) =>
    send(reply, 200, findById(schemas(baseOf(request)), idOf(request))),
  )
  scope.get('/ResourceTypes', options, async (request, reply) =>
    send(reply, 200, list(types(baseOf(request)))),
  )
  scope.get('/ResourceTypes/:id', options, async (request, reply) =>
    send(reply, 200, findById(types(baseOf(request)), idOf(request))),
  )
}
