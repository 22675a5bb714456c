import type { Db } from '#platform/database/db.ts'
import { calendarPath, objectPath, targetOf } from './addresses.ts'
import { type Collection, readToken, truncatedToken } from './collections.ts'
import { DavError } from './dav-error.ts'
import {
  type Change,
  listChanges,
  listResources,
  maxListed,
  type Resource,
  type ResourceFilter,
  readResources,
  type Site,
  tooMany,
} from './objects.ts'
import type { DavMember } from './passwords.ts'
import {
  notFoundResponse,
  objectProperties,
  readRequestedProperties,
  responseOf,
} from './properties.ts'
import {
  cal,
  childOf,
  dav,
  element,
  escapeXml,
  href,
  isNode,
  type Markup,
  type XmlNode,
} from './xml.ts'

/** Maximum addresses per multiget; clients send a few dozen. */
const maxHrefs = 1000
/** Resources whose contents are read per query. */
const batchSize = 200

type ReportContext = { db: Db; member: DavMember; collection: Collection; site: Site }

/** Answers a REPORT on a calendar. @returns the parts of its multistatus @throws DavError 403, 507 */
export async function report(context: ReportContext, body: XmlNode): Promise<Markup[]> {
  if (isNode(body, cal, 'calendar-multiget')) return multiget(context, body)
  if (isNode(body, cal, 'calendar-query')) return query(context, body)
  if (isNode(body, dav, 'sync-collection') && context.collection.token)
    return synchronise(context, body, context.collection.token)
  throw unsupported()
}

export const unsupported = () =>
  new DavError(403, 'This report is not supported.', {
    condition: element(dav, 'supported-report'),
  })

async function multiget(context: ReportContext, body: XmlNode): Promise<Markup[]> {
  const { db, member, collection } = context
  const hrefs = body.children.filter((child) => isNode(child, dav, 'href')).map(({ text }) => text)
  if (hrefs.length > maxHrefs) throw tooMany()
  const names = hrefs.map((address) => {
    try {
      const target = targetOf(address, member.username)
      return target.kind === 'object' && target.segment === collection.segment ? target.name : ''
    } catch {
      return ''
    }
  })
  const listed = await listResources(db, member, collection, { names: names.filter(Boolean) })
  const responses = await respond(context, body, listed)
  return hrefs.map((address, at) => responses.get(names[at] ?? '') ?? notFoundResponse(address))
}

async function query(context: ReportContext, body: XmlNode): Promise<Markup[]> {
  const { db, member, collection } = context
  const wanted = readFilter(childOf(body, cal, 'filter'))
  if (!wanted) return []
  const listed = await listResources(db, member, collection, wanted)
  return [...(await respond(context, body, listed)).values()]
}

/** Translates a filter; undefined if it matches nothing stored here. @throws DavError 403 for an unsupported filter */
function readFilter(filter: XmlNode | undefined): ResourceFilter | undefined {
  const calendar = filter?.children[0]
  if (calendar?.attributes.name?.toUpperCase() !== 'VCALENDAR') throw unknownFilter()
  const [component, ...more] = calendar.children
  if (!component) return {}
  if (more.length > 0 || !isNode(component, cal, 'comp-filter')) throw unknownFilter()
  if (component.attributes.name?.toUpperCase() !== 'VEVENT') return undefined
  const wanted: ResourceFilter = {}
  for (const child of component.children) {
    const match = childOf(child, cal, 'text-match')
    if (isNode(child, cal, 'time-range')) wanted.span = spanOf(child)
    else if (
      isNode(child, cal, 'prop-filter') &&
      child.attributes.name?.toUpperCase() === 'UID' &&
      match &&
      match.attributes['negate-condition'] !== 'yes'
    )
      wanted.uid = match.text
    else throw unknownFilter()
  }
  return wanted
}

const unknownFilter = () =>
  new DavError(403, 'Events can be searched by a time range or by UID only.', {
    condition: element(cal, 'supported-filter'),
  })

/** A time range as ISO 8601 instants. @throws DavError 403 */
export function spanOf({ attributes: { start, end } }: XmlNode) {
  const instant = (text: string | undefined) => {
    if (text === undefined) return null
    const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? []
    const [year, month, day, hour, minute, second] = parts
    const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
    if (parts.length === 0 || Number.isNaN(Date.parse(iso))) throw unknownFilter()
    return iso
  }
  return { from: instant(start), to: instant(end) }
}

/** Reports what changed since a token. A truncated answer says so, and its token continues there (RFC 6578 §3.6). */
async function synchronise(
  context: ReportContext,
  body: XmlNode,
  token: string,
): Promise<Markup[]> {
  const { db, member, collection } = context
  const position = readToken(token, childOf(body, dav, 'sync-token')?.text ?? '')
  if (position === undefined || collection.id === null)
    throw new DavError(403, 'The sync token has expired. Please synchronise from the beginning.', {
      condition: element(dav, 'valid-sync-token'),
    })
  const { since, below, next } = position
  const most = Number(childOf(childOf(body, dav, 'limit'), dav, 'nresults')?.text)
  const limit = most >= 1 ? Math.min(Math.floor(most), maxListed) : maxListed
  const page = { below, limit: limit + 1 }
  const found: Change[] =
    since === null
      ? await listResources(db, member, collection, { page })
      : await listChanges(db, collection.id, since, page)
  const reported = found.slice(0, limit)
  const there = await respond(context, body, reported.filter(isThere))
  const responses = reported.map(
    ({ name }) =>
      there.get(name) ?? notFoundResponse(objectPath(member.username, collection.segment, name)),
  )
  const last = reported.at(-1)
  if (found.length <= limit || !last)
    return [...responses, element(dav, 'sync-token', escapeXml(next))]
  return [
    ...responses,
    element(dav, 'response', [
      href(calendarPath(member.username, collection.segment)),
      element(dav, 'status', 'HTTP/1.1 507 Insufficient Storage' as Markup),
      element(dav, 'error', [element(dav, 'number-of-matches-within-limits')]),
    ]),
    element(dav, 'sync-token', escapeXml(truncatedToken(position, last.id))),
  ]
}

const isThere = (change: Change): change is Resource => change.etag !== null

/** Responses by resource name; contents are read only if requested. */
async function respond(
  context: ReportContext,
  body: XmlNode,
  listed: readonly Resource[],
): Promise<Map<string, Markup>> {
  const { db, member, collection, site } = context
  const properties = readRequestedProperties(body)
  const path = (name: string) => objectPath(member.username, collection.segment, name)
  const withData = properties.names.some((name) => isNode(name as XmlNode, cal, 'calendar-data'))
  if (!withData)
    return new Map(
      listed.map((one) => [
        one.name,
        responseOf(path(one.name), objectProperties(member, one), properties),
      ]),
    )
  const found = new Map<string, Markup>()
  for (let at = 0; at < listed.length; at += batchSize) {
    const names = listed.slice(at, at + batchSize).map(({ name }) => name)
    for (const one of await readResources(db, member, collection, { names }, site))
      found.set(one.name, responseOf(path(one.name), objectProperties(member, one), properties))
  }
  return found
}
