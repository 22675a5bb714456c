import type { Db } from '#platform/database/db.ts'
import { objectPath, targetOf } from './addresses.ts'
import { type Collection, readToken } from './collections.ts'
import { DavError } from './dav-error.ts'
import { listChanges, listResources, readResources, type Site, type Wanted } from './objects.ts'
import type { DavMember } from './passwords.ts'
import {
  notFoundResponse,
  objectProperties,
  readRequestedProperties,
  responseOf,
} from './properties.ts'
import { cal, childOf, dav, element, escapeXml, isNode, type Markup, type XmlNode } from './xml.ts'

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
  new DavError(403, 'This report is not offered here.', {
    condition: element(dav, 'supported-report'),
  })

async function multiget(context: ReportContext, body: XmlNode): Promise<Markup[]> {
  const { member, collection } = context
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
  const responses = await respond(context, body, { names: names.filter(Boolean) })
  return hrefs.map(
    (address, index) => responses.get(names[index] ?? '') ?? notFoundResponse(address),
  )
}

async function query(context: ReportContext, body: XmlNode): Promise<Markup[]> {
  const filter = readFilter(childOf(body, cal, 'filter'))
  return filter ? [...(await respond(context, body, filter)).values()] : []
}

/** Translates a filter; undefined if it matches nothing stored here. @throws DavError 403 for an unsupported filter */
function readFilter(filter: XmlNode | undefined): Wanted | undefined {
  const calendar = filter?.children[0]
  if (calendar?.attributes.name?.toUpperCase() !== 'VCALENDAR') throw unknownFilter()
  const [component, ...more] = calendar.children
  if (!component) return {}
  if (more.length > 0 || !isNode(component, cal, 'comp-filter')) throw unknownFilter()
  if (component.attributes.name?.toUpperCase() !== 'VEVENT') return undefined
  const wanted: Wanted = {}
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
  new DavError(403, 'Events are found by a time range or their UID.', {
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

async function synchronise(
  context: ReportContext,
  body: XmlNode,
  token: string,
): Promise<Markup[]> {
  const { db, member, collection } = context
  const clientToken = childOf(body, dav, 'sync-token')?.text ?? ''
  const limit = Number(
    childOf(childOf(body, dav, 'limit'), dav, 'nresults')?.text ?? Number.POSITIVE_INFINITY,
  )
  let responses: Markup[]
  if (clientToken === '') responses = [...(await respond(context, body, {})).values()]
  else {
    const since = readToken(collection, clientToken)
    if (since === undefined || collection.id === null)
      throw new DavError(403, 'Changes since then are not known. Begin anew.', {
        condition: element(dav, 'valid-sync-token'),
      })
    const changes = await listChanges(db, collection.id, since)
    const names = changes.flatMap(({ name, etag }) => (etag === null ? [] : name))
    const existing = names.length > 0 ? await respond(context, body, { names }) : new Map()
    responses = changes.map(
      ({ name }) =>
        existing.get(name) ??
        notFoundResponse(objectPath(member.username, collection.segment, name)),
    )
  }
  if (responses.length > limit) throw tooMany()
  return [...responses, element(dav, 'sync-token', escapeXml(token))]
}

const tooMany = () =>
  new DavError(507, 'Too many at once.', {
    condition: element(dav, 'number-of-matches-within-limits'),
  })

/** Responses by resource name; contents are read only if requested. */
async function respond(
  context: ReportContext,
  body: XmlNode,
  filter: Wanted,
): Promise<Map<string, Markup>> {
  const { db, member, collection, site } = context
  const properties = readRequestedProperties(body)
  const path = (name: string) => objectPath(member.username, collection.segment, name)
  const withData = properties.names.some((name) => isNode(name as XmlNode, cal, 'calendar-data'))
  const listed = await listResources(db, member, collection, filter)
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
