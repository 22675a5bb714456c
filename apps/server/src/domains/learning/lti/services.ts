import { ltiScopes } from '@atrium/contract/learning/lti'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Platform } from '#platform/platform.ts'
import { lineItemUrl, personClaims, roleOf, servicesOf } from './claims.ts'
import { insertLineItem } from './deep-linking.ts'
import { contextOf, subjectOf } from './launch.ts'
import {
  findLineItem,
  hasTool,
  type LineItem,
  listLineItems,
  listResults,
  writeScore,
} from './marks.ts'
import { findEnabledTool, type Tool } from './tools.ts'

/** Names and Roles, Assignments and Grades. Each service answers only for courses that contain the calling tool. */

const maxPerPage = 500
type Call = {
  platform: Platform
  db: Db
  tool: Tool
  request: FastifyRequest
  reply: FastifyReply
  id: string
}
type Answer = (call: Call) => Promise<unknown>

class Refusal extends Error {
  readonly status: number
  constructor(status: number, error: string) {
    super(error)
    this.status = status
  }
}
const refuse = (status: number, error: string): never => {
  throw new Refusal(status, error)
}
const notFound = () => refuse(404, 'not_found')

export function serveServices(scope: FastifyInstance, ready: () => Platform) {
  const serve =
    (scopes: readonly string[], answer: Answer) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const platform = ready()
      try {
        const tool = await toolOf(platform, request, scopes)
        const { id = '' } = request.params as { id?: string }
        if (!/^\d{1,18}$/.test(id)) notFound()
        return (await answer({ platform, db: platform.db, tool, request, reply, id })) ?? null
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return reply.code(error.status).send({ error: error.message })
      }
    }
  const { lineItem, lineItemRead, result, score, members } = ltiScopes
  scope.get('/lti/courses/:id/members', serve([members], readMembers))
  scope.get('/lti/courses/:id/lineitems', serve([lineItem, lineItemRead], readLineItems))
  scope.post('/lti/courses/:id/lineitems', serve([lineItem], createLineItem))
  scope.get(
    '/lti/lineitems/:id',
    serve([lineItem, lineItemRead], async (call) => toResponse(call, await getOwnItem(call))),
  )
  scope.put('/lti/lineitems/:id', serve([lineItem], updateLineItem))
  scope.delete('/lti/lineitems/:id', serve([lineItem], removeLineItem))
  scope.post('/lti/lineitems/:id/scores', serve([score], receiveScore))
  scope.get('/lti/lineitems/:id/results', serve([result], readResults))
}

/** The calling tool, if its token has one of these scopes. */
async function toolOf(platform: Platform, request: FastifyRequest, scopes: readonly string[]) {
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const claims =
    bearer &&
    (await platform.keys
      .verify(bearer, { type: 'at+jwt', audience: `${platform.origin()}/lti` })
      .catch(() => undefined))
  const tool = claims && (await findEnabledTool(platform.db, { clientId: String(claims.sub) }))
  if (!tool) return refuse(401, 'invalid_token')
  const granted = String(claims.scope ?? '').split(' ')
  // A scope revoked by an operator is refused immediately.
  if (!scopes.some((scope) => granted.includes(scope) && tool.scopes.includes(scope)))
    return refuse(403, 'insufficient_scope')
  return tool
}

/** The course, if it contains the tool. */
async function courseOf({ db, tool, id }: Call) {
  const { rows } = await sql<{ id: string; calendarId: string; code: string; name: string }>`
    select course.id, course.calendar_id as "calendarId", course.code, course.name from course
    where course.id = ${id} and ${hasTool(sql.ref('course.id'), tool.id)}`.execute(db)
  return rows[0] ?? notFound()
}

async function readMembers(call: Call) {
  const { platform, db, tool, request, reply } = call
  const course = await courseOf(call)
  const query = request.query as { limit?: string; after?: string; role?: string }
  const limit = Math.min(Math.max(1, Number(query.limit) || maxPerPage), maxPerPage)
  const after = /^\d{1,18}$/.test(query.after ?? '') ? query.after : '0'
  const role = Object.entries(roleOf).find(
    ([, uri]) => query.role && (uri === query.role || uri.endsWith(`#${query.role}`)),
  )?.[0]
  if (query.role && !role) return { id: request.url, context: { id: '' }, members: [] }
  const { rows } = await sql<{
    id: string
    role: 'attends' | 'teaches'
    name: string
    name_en: string
    email: string | null
  }>`
    select account.id, member.role, person.name, person.name_en, person.email
    from calendar_member member join account on account.id = member.account_id and account.status <> 'disabled'
    join person on person.id = account.person_id
    where member.calendar_id = ${course.calendarId} and account.id > ${after}::bigint
      ${role ? sql`and member.role = ${role}` : sql``}
    order by account.id limit ${limit + 1}`.execute(db)
  const page = rows.slice(0, limit)
  const url = servicesOf(platform, course.id).members
  if (rows.length > limit) {
    const next = new URLSearchParams({
      limit: String(limit),
      after: page.at(-1)?.id ?? '',
      ...(query.role && { role: query.role }),
    })
    reply.header('link', `<${url}?${next}>; rel="next"`)
  }
  reply.type('application/vnd.ims.lti-nrps.v2.membershipcontainer+json')
  return {
    id: url,
    context: {
      id: contextOf(platform.secret, tool.id, course.id),
      label: course.code,
      title: course.name,
    },
    members: page.map((one) => ({
      status: 'Active',
      user_id: subjectOf(platform.secret, tool.id, one.id),
      roles: [roleOf[one.role]],
      ...personClaims(tool, one),
    })),
  }
}

const toResponse = ({ platform }: Pick<Call, 'platform'>, item: LineItem) => ({
  id: lineItemUrl(platform, item.id),
  label: item.label,
  scoreMaximum: item.points,
  ...(item.tag && { tag: item.tag }),
  ...(item.resourceId && { resourceId: item.resourceId }),
  ...(item.materialId && { resourceLinkId: item.materialId }),
})
const getOwnItem = async ({ db, tool, id }: Call) =>
  (await findLineItem(db, tool.id, id)) ?? notFound()

async function readLineItems(call: Call) {
  const { db, tool, request, reply } = call
  const course = await courseOf(call)
  const query = request.query as { tag?: string; resource_id?: string; resource_link_id?: string }
  const list = await listLineItems(db, tool.id, course.id)
  reply.type('application/vnd.ims.lis.v2.lineitemcontainer+json')
  return list
    .filter(
      ({ tag, resourceId, materialId }) =>
        (query.tag === undefined || query.tag === tag) &&
        (query.resource_id === undefined || query.resource_id === resourceId) &&
        (query.resource_link_id === undefined || query.resource_link_id === materialId),
    )
    .map((item) => toResponse(call, item))
}

function readItem(body: unknown) {
  const { label, scoreMaximum, tag, resourceId } = (body ?? {}) as Record<string, unknown>
  const points = Number(scoreMaximum)
  if (typeof label !== 'string' || !label.trim() || !(points > 0 && points <= 100_000))
    return refuse(400, 'invalid_request')
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 200) : '')
  return {
    label: [...label.trim()].slice(0, 100).join(''),
    points,
    tag: text(tag),
    resourceId: text(resourceId),
  }
}

async function createLineItem(call: Call) {
  const { platform, tool, request, reply } = call
  const course = await courseOf(call)
  const item = readItem(request.body)
  const id = await platform.db.transaction().execute(async (db) => {
    if ((await listLineItems(db, tool.id, course.id)).length >= 200) return refuse(409, 'too_many')
    return insertLineItem(db, tool.id, course.id, item)
  })
  reply.code(201).type('application/vnd.ims.lis.v2.lineitem+json')
  return toResponse(call, { ...item, id, materialId: null })
}

async function updateLineItem(call: Call) {
  const { platform, id, request } = call
  const before = await getOwnItem(call)
  const item = readItem(request.body)
  await platform.db.transaction().execute(async (db) => {
    await db
      .updateTable('study_assignment')
      .set({ title: item.label, points: String(item.points) })
      .where('id', '=', id)
      .execute()
    await db
      .updateTable('lti_line_item')
      .set({ tag: item.tag, resource_id: item.resourceId })
      .where('assignment_id', '=', id)
      .execute()
  })
  return toResponse(call, { ...before, ...item })
}

async function removeLineItem(call: Call) {
  const { db, id, reply } = call
  await getOwnItem(call)
  await db.deleteFrom('study_assignment').where('id', '=', id).execute()
  reply.code(204)
  return undefined
}

async function receiveScore(call: Call) {
  const { platform, tool, request, reply } = call
  const item = await getOwnItem(call)
  const outcome = await platform.db
    .transaction()
    .execute((db) => writeScore(db, platform.secret, tool.id, item, request.body))
  if (outcome === 'invalid') return refuse(400, 'invalid_request')
  if (outcome === 'unknown') return refuse(422, 'user_not_in_course')
  if (outcome === 'older') return refuse(409, 'older_score')
  reply.code(204)
  return undefined
}

async function readResults(call: Call) {
  const { platform, db, tool, request, reply } = call
  const item = await getOwnItem(call)
  const { user_id: user } = request.query as { user_id?: string }
  const url = lineItemUrl(platform, item.id)
  const list = await listResults(db, item.id)
  reply.type('application/vnd.ims.lis.v2.resultcontainer+json')
  return list
    .map(({ accountId, score, comment }) => {
      const userId = subjectOf(platform.secret, tool.id, accountId)
      return {
        id: `${url}/results/${userId}`,
        scoreOf: url,
        userId,
        ...(score !== null && { resultScore: score, resultMaximum: item.points }),
        ...(comment && { comment }),
      }
    })
    .filter(({ userId }) => user === undefined || user === userId)
}
