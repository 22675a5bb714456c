import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { insertCalendar } from '#domains/work/calendars/insert-calendar.ts'
import { announce } from '#platform/database/topics.ts'
import { canSend } from '#platform/delivery/outbox.ts'
import { matchesEtag } from '#platform/http/etag.ts'
import { unlimited } from '#platform/http/request-limit.ts'
import type { Host } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import {
  calendarPath,
  homePath,
  mount,
  objectPath,
  principalPath,
  rootPath,
  schedulingPath,
  type Target,
  targetOf,
} from './addresses.ts'
import { answerIssue } from './answer-issue.ts'
import { answerObject } from './answer-object.ts'
import { getCollection, isSegment, listHome, nearestColor } from './collections.ts'
import { DavError, notFound } from './dav-error.ts'
import { answerFreeBusy, freeBusyReport } from './free-busy.ts'
import { listResources, readResources } from './objects.ts'
import { authenticate, type DavMember } from './passwords.ts'
import {
  calendarProperties,
  homeProperties,
  isColor,
  isName,
  listPropertyChanges,
  objectProperties,
  objectType,
  pathOf,
  principalProperties,
  propstat,
  readRequestedProperties,
  responseOf,
  rootProperties,
  schedulingProperties,
} from './properties.ts'
import { maxBytes } from './read-object.ts'
import { report, unsupported } from './reports.ts'
import { deleteObject, putObject } from './write-object.ts'
import { cal, dav, element, href, isNode, type Markup, readXml, xmlDocument } from './xml.ts'

const methods = ['PROPFIND', 'PROPPATCH', 'REPORT', 'MKCALENDAR'] as const
const allowed = ['OPTIONS', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', ...methods]
const classes = '1, 3, access-control, calendar-access, calendar-auto-schedule, extended-mkcol'
const hidden = { hide: true } as never

type Call = {
  platform: Platform
  member: DavMember
  target: Target
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * CalDAV (RFC 4791, 6578, 6764). Not part of the contract, because the protocol defines its methods, bodies and errors.
 */
export async function serveCaldav(app: FastifyInstance, host: Host) {
  for (const method of methods) app.addHttpMethod(method, { hasBody: true })
  await unlimited(app, async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_, body, done) =>
      done(null, body),
    )
    for (const url of ['/.well-known/caldav', '/.well-known/caldav/', mount])
      scope.route({
        method: ['GET', 'OPTIONS', ...methods],
        url,
        schema: hidden,
        handler: (_, reply) => reply.redirect(rootPath, 301),
      })
    await scope.register(async (inner) => {
      inner.setErrorHandler(answerIssue)
      const members = new WeakMap<FastifyRequest, DavMember>()
      // Authenticates before the body is read, so that a refused request uploads nothing large.
      inner.addHook('onRequest', async (request, reply) => {
        reply.header('dav', classes)
        reply.header('cache-control', 'private, no-cache')
        if (!host.platform)
          throw new DavError(503, 'The service is temporarily unavailable. Please try again.', {
            retryAfter: 2,
          })
        members.set(request, await authenticate(host.platform, request))
      })
      inner.route({
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', ...methods],
        url: `${mount}/*`,
        schema: hidden,
        bodyLimit: maxBytes,
        async handler(request, reply) {
          const member = members.get(request)
          const { platform } = host
          if (!member || !platform)
            throw new DavError(503, 'The service is temporarily unavailable. Please try again.')
          const target = targetOf(request.url, member.username)
          return answer({ platform, member, target, request, reply })
        },
      })
    })
  })
}

async function answer(call: Call) {
  const { request, reply } = call
  reply.header('allow', allowed.join(', '))
  switch (request.method as string) {
    case 'OPTIONS':
      return reply.code(200).header('content-length', '0').send()
    case 'PROPFIND':
      return multistatus(reply, await propfind(call))
    case 'PROPPATCH':
      return multistatus(reply, await proppatch(call))
    case 'REPORT':
      return answerReport(call)
    case 'MKCALENDAR':
      return makeCalendar(call)
    case 'GET':
    case 'HEAD':
      return read(call)
    case 'PUT':
      return put(call)
    case 'DELETE':
      return remove(call)
    case 'POST':
      return post(call)
    default:
      throw new DavError(405, 'This method is not supported here.')
  }
}

const siteOf = (platform: Platform) => ({
  origin: platform.origin(),
  sendsMail: canSend(platform, 'email'),
})

const multistatus = (reply: FastifyReply, responses: readonly Markup[]) =>
  reply
    .code(207)
    .type('application/xml; charset=utf-8')
    .send(xmlDocument(dav, 'multistatus', responses))

/** @throws DavError 400 */
function textOf({ body }: FastifyRequest): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      (body as Buffer | undefined) ?? Buffer.alloc(0),
    )
  } catch {
    throw new DavError(400, 'The body is not UTF-8.')
  }
}

function bodyOf(request: FastifyRequest) {
  const text = textOf(request)
  return text.trim() === '' ? undefined : readXml(text)
}

// ---- reads ----

async function propfind({ platform, member, target, request }: Call): Promise<Markup[]> {
  const { db } = platform
  const { username } = member
  const depth = request.headers.depth ?? '0'
  if (depth !== '0' && depth !== '1')
    throw new DavError(403, 'Only one level can be requested at a time (Depth: 0 or 1).', {
      condition: element(dav, 'propfind-finite-depth'),
    })
  const asked = readRequestedProperties(bodyOf(request))
  const below = depth === '1'
  switch (target.kind) {
    case 'root':
    case 'principals':
    case 'calendars':
      return [
        responseOf(
          target.kind === 'root' ? rootPath : `${rootPath}${target.kind}/`,
          rootProperties(member),
          asked,
        ),
      ]
    case 'inbox':
    case 'outbox':
      return [
        responseOf(
          schedulingPath(username, target.kind),
          schedulingProperties(member, target.kind),
          asked,
        ),
      ]
    case 'principal':
      return [responseOf(principalPath(username), principalProperties(member), asked)]
    case 'home': {
      const home = responseOf(homePath(username), homeProperties(member), asked)
      const collections = below ? await listHome(db, member) : []
      return [
        home,
        ...collections.map((one) =>
          responseOf(pathOf(member, one), calendarProperties(member, one), asked),
        ),
      ]
    }
    case 'calendar': {
      const collection = await getCollection(db, member, target.segment)
      const resources = below ? await listResources(db, member, collection) : []
      return [
        responseOf(pathOf(member, collection), calendarProperties(member, collection), asked),
        ...resources.map((one) =>
          responseOf(
            objectPath(username, collection.segment, one.name),
            objectProperties(member, one),
            asked,
          ),
        ),
      ]
    }
    default: {
      const collection = await getCollection(db, member, target.segment)
      const [found] = await listResources(db, member, collection, { names: [target.name] })
      if (!found) throw notFound()
      const path = objectPath(username, collection.segment, found.name)
      return [responseOf(path, objectProperties(member, found), asked)]
    }
  }
}

async function answerReport({ platform, member, target, request, reply }: Call) {
  const { db } = platform
  const body = bodyOf(request)
  if (!body) throw new DavError(400, 'The REPORT request has no body.')
  if (target.kind !== 'calendar') throw unsupported()
  // Read the token before the contents: changes made in between are reported again next time.
  const collection = await getCollection(db, member, target.segment)
  if (isNode(body, cal, 'free-busy-query'))
    return reply.type(objectType).send(await freeBusyReport(db, member, collection, body))
  const site = siteOf(platform)
  return multistatus(reply, await report({ db, member, collection, site }, body))
}

async function read({ platform, member, target, request, reply }: Call) {
  if (target.kind !== 'object') {
    reply.header('content-type', 'text/plain; charset=utf-8')
    return 'This address is for calendar programs that use CalDAV.\n'
  }
  const collection = await getCollection(platform.db, member, target.segment)
  const wanted = { names: [target.name] }
  const [found] = await readResources(platform.db, member, collection, wanted, siteOf(platform))
  if (!found) throw notFound()
  reply.header('etag', found.etag)
  if (matchesEtag(request.headers['if-none-match'], found.etag)) return reply.code(304).send()
  return reply.type(objectType).send(found.body)
}

// ---- writes ----

const conditionsOf = ({ headers }: FastifyRequest) => ({
  ifMatch: headers['if-match'],
  ifNoneMatch: headers['if-none-match'],
})

async function locationOf({ platform, member, target }: Call) {
  if (target.kind !== 'object') throw new DavError(405, 'Only events can be written and deleted.')
  const { segment, name } = target
  const collection = await getCollection(platform.db, member, segment)
  const path = (name: string) => objectPath(member.username, segment, name)
  return { collection, name, path }
}

async function put(call: Call) {
  const { platform, member, request, reply } = call
  const place = await locationOf(call)
  const type = request.headers['content-type'] ?? 'text/calendar'
  if (!/^text\/calendar\b/i.test(type))
    throw new DavError(415, 'Events must be sent as text/calendar.', {
      condition: element(cal, 'supported-calendar-data'),
    })
  const text = textOf(request)
  if (place.collection.id === null) {
    await answerObject(platform, member, place, text, conditionsOf(request))
    return reply.code(204).send()
  }
  const { created, etag } = await putObject(platform, member, place, text, conditionsOf(request))
  // No ETag if people are invited, because the stored event then differs from the one sent (RFC 4791 §5.3.4).
  if (etag !== undefined) reply.header('etag', etag)
  return reply.code(created ? 201 : 204).send()
}

async function remove(call: Call) {
  const { platform, member, request, reply } = call
  const place = await locationOf(call)
  if (place.collection.id !== null)
    await deleteObject(platform, member, place, conditionsOf(request))
  // Deleted without a reply (RFC 6638 §8.1), the invitation would stay open.
  else if (String(request.headers['schedule-reply'] ?? '').toUpperCase() === 'F')
    throw new DavError(
      403,
      'An invitation can be deleted only with a reply that declines it (without Schedule-Reply: F).',
    )
  else await answerObject(platform, member, place, undefined, conditionsOf(request))
  return reply.code(204).send()
}

/** Answers free-busy requests (RFC 6638 §5). */
async function post({ platform, member, target, request, reply }: Call) {
  if (target.kind !== 'outbox') throw new DavError(405, 'This method is not supported here.')
  const responses = await answerFreeBusy(platform, member, textOf(request))
  return reply
    .type('application/xml; charset=utf-8')
    .send(xmlDocument(cal, 'schedule-response', responses))
}

async function makeCalendar({ platform, member, target, request, reply }: Call) {
  if (target.kind !== 'calendar' || !isSegment(target.segment))
    throw new DavError(
      403,
      'A calendar must be created directly below the calendar home, with a name of 8 to 60 characters.',
      {
        condition: element(cal, 'calendar-collection-location-ok'),
      },
    )
  const { segment } = target
  const known = await getCollection(platform.db, member, segment).catch(() => undefined)
  if (known)
    throw new DavError(405, 'A calendar already exists at this address.', {
      condition: element(dav, 'resource-must-be-null'),
    })
  const given = listPropertyChanges(bodyOf(request)).filter(({ removed }) => !removed)
  const components = given.find(({ property }) => property.name.endsWith('component-set'))?.property
  if (components && !components.children.some(({ attributes }) => attributes.name === 'VEVENT'))
    throw new DavError(403, 'Calendars here can contain events only, not tasks.', {
      condition: element(cal, 'supported-calendar-component'),
    })
  const name = given.find(({ property }) => isName(property))?.property.text ?? ''
  const color = given.find(({ property }) => isColor(property))?.property.text ?? ''
  const id = await platform.db.transaction().execute(async (db) => {
    const id = await insertCalendar(db, member.accountId, {
      key: segment,
      name: nameOf(name) || (member.language === 'en' ? 'Calendar' : '日历'),
      color: nearestColor(color) ?? 'blue',
    })
    await announce(db, { kind: 'account', key: member.accountId })
    return id
  })
  if (!id) throw new DavError(507, 'You have reached the maximum number of calendars.')
  await platform.topics.flushed()
  return reply.code(201).header('location', calendarPath(member.username, segment)).send()
}

const nameOf = (text: string) => [...text.replaceAll(/\s+/g, ' ').trim()].slice(0, 60).join('')

/** Sets the name and colour of the member's own calendar; all changes of a request or none (RFC 4918 §9.2). */
async function proppatch({ platform, member, target, request }: Call): Promise<Markup[]> {
  if (target.kind !== 'calendar') throw new DavError(403, 'No properties can be changed here.')
  const collection = await getCollection(platform.db, member, target.segment)
  const given = listPropertyChanges(bodyOf(request))
  const can = ({ property, removed }: (typeof given)[number]) =>
    collection.mine &&
    !removed &&
    ((isName(property) && nameOf(property.text) !== '') ||
      (isColor(property) && nearestColor(property.text) !== undefined))
  const refused = given.filter((one) => !can(one))
  const written = refused.length === 0
  const name = given.findLast(({ property }) => isName(property))?.property.text
  const color = given.findLast(({ property }) => isColor(property))?.property.text
  if (written && given.length > 0)
    await platform.db
      .updateTable('calendar')
      .set({
        ...(name !== undefined && { name: nameOf(name), name_en: '' }),
        ...(color !== undefined && { color: nearestColor(color) }),
      })
      .where('id', '=', collection.id)
      .execute()
  const told = (which: typeof given) =>
    which.map(({ property: { namespace, name } }) => element(namespace, name))
  const others = given.filter((one) => !refused.includes(one))
  return [
    element(dav, 'response', [
      href(pathOf(member, collection)),
      ...(written
        ? [propstat(told(given), '200 OK')]
        : [
            propstat(told(refused), '403 Forbidden'),
            ...(others.length > 0 ? [propstat(told(others), '424 Failed Dependency')] : []),
          ]),
    ]),
  ]
}
