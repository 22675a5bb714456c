import { maxParticipants } from '@atrium/contract/work/appointments'
import { addressesOf } from '#domains/work/caldav-scheduling/addresses.ts'
import { calendarPath, homePath, principalPath, rootPath, schedulingPath } from './addresses.ts'
import type { Collection } from './collections.ts'
import type { DavMember } from './passwords.ts'
import { maxBytes } from './read-object.ts'
import {
  apple,
  cal,
  childOf,
  dav,
  element,
  escapeXml,
  href,
  isNode,
  type Markup,
  server,
  type XmlNode,
} from './xml.ts'

/** A property by its namespace and name. */
export type PropertyName = { namespace: string; name: string }
/** The properties of a resource: markup by namespace and name, for example `DAV: displayname`. */
export type Properties = Map<string, Markup | readonly Markup[]>
const keyOf = ({ namespace, name }: PropertyName) => `${namespace} ${name}`
const prop = (namespace: string, name: string, inside: Markup | readonly Markup[] = []) =>
  [keyOf({ namespace, name }), inside] as const
const empty = (namespace: string, ...names: string[]) =>
  names.map((name) => element(namespace, name))

/**
 * The properties a PROPFIND requests; `all`: every available one. @param body undefined requests all (RFC 4918 §9.1)
 */
export function readRequestedProperties(body: XmlNode | undefined): {
  names: PropertyName[]
  all: boolean
  onlyNames: boolean
} {
  const names = childOf(body, dav, 'prop')?.children ?? []
  const onlyNames = childOf(body, dav, 'propname') !== undefined
  return {
    names,
    all: !body || onlyNames || childOf(body, dav, 'allprop') !== undefined,
    onlyNames,
  }
}

const common = ({ username }: DavMember) => {
  const me = principalPath(username)
  return [
    prop(dav, 'current-user-principal', href(me)),
    prop(dav, 'principal-collection-set', href(`${rootPath}principals/`)),
  ]
}

export const rootProperties = (member: DavMember): Properties =>
  new Map([...common(member), prop(dav, 'resourcetype', empty(dav, 'collection'))])

export function principalProperties(member: DavMember): Properties {
  const me = href(principalPath(member.username))
  return new Map([
    ...common(member),
    prop(dav, 'resourcetype', empty(dav, 'collection', 'principal')),
    prop(dav, 'displayname', escapeXml(member.name)),
    prop(dav, 'principal-URL', me),
    prop(cal, 'calendar-home-set', href(homePath(member.username))),
    prop(
      cal,
      'calendar-user-address-set',
      addressesOf(member).map((address) => href(address)),
    ),
    prop(cal, 'calendar-user-type', escapeXml('INDIVIDUAL')),
    prop(cal, 'schedule-inbox-URL', href(schedulingPath(member.username, 'inbox'))),
    prop(cal, 'schedule-outbox-URL', href(schedulingPath(member.username, 'outbox'))),
    prop(dav, 'supported-report-set', []),
  ])
}

const privileges = (...names: string[]) =>
  names.map((name) => element(dav, 'privilege', empty(dav, name)))

export function homeProperties(member: DavMember): Properties {
  const { username, name } = member
  return new Map([
    ...common(member),
    prop(dav, 'resourcetype', empty(dav, 'collection')),
    prop(dav, 'displayname', escapeXml(name)),
    prop(dav, 'owner', href(principalPath(username))),
    // Calendars can be created here, but deleted only in the portal.
    prop(
      dav,
      'current-user-privilege-set',
      privileges('read', 'bind', 'read-current-user-privilege-set'),
    ),
    prop(dav, 'supported-report-set', []),
  ])
}

/** The inbox is always empty, because invitations are shown as a calendar. */
export function schedulingProperties(member: DavMember, box: 'inbox' | 'outbox'): Properties {
  return new Map([
    ...common(member),
    prop(dav, 'resourcetype', [element(dav, 'collection'), element(cal, `schedule-${box}`)]),
    prop(dav, 'owner', href(principalPath(member.username))),
    prop(
      dav,
      'current-user-privilege-set',
      box === 'inbox'
        ? privileges('read', 'read-current-user-privilege-set')
        : [
            ...privileges('read', 'read-current-user-privilege-set'),
            element(dav, 'privilege', empty(cal, 'schedule-send')),
            element(dav, 'privilege', empty(cal, 'schedule-send-freebusy')),
          ],
    ),
    prop(dav, 'supported-report-set', []),
  ])
}

const reports = (...names: [string, string][]) =>
  names.map(([namespace, name]) =>
    element(dav, 'supported-report', [element(dav, 'report', empty(namespace, name))]),
  )

export function calendarProperties(member: DavMember, collection: Collection): Properties {
  const { username } = member
  const { editable, mine, token } = collection
  return new Map([
    ...common(member),
    prop(dav, 'resourcetype', [element(dav, 'collection'), element(cal, 'calendar')]),
    prop(dav, 'displayname', escapeXml(collection.name)),
    ...(mine ? [prop(dav, 'owner', href(principalPath(username)))] : []),
    prop(
      dav,
      'current-user-privilege-set',
      editable
        ? privileges(
            'read',
            'write',
            'write-content',
            ...(mine ? ['write-properties'] : []),
            'bind',
            'unbind',
            'read-current-user-privilege-set',
          )
        : // Invitees may write their answer.
          collection.id === null
          ? privileges('read', 'write-content', 'unbind', 'read-current-user-privilege-set')
          : privileges('read', 'read-current-user-privilege-set'),
    ),
    prop(
      dav,
      'supported-report-set',
      reports(
        [cal, 'calendar-query'],
        [cal, 'calendar-multiget'],
        [cal, 'free-busy-query'],
        ...(token ? [[dav, 'sync-collection'] as [string, string]] : []),
      ),
    ),
    ...(token ? [prop(dav, 'sync-token', escapeXml(token))] : []),
    prop(server, 'getctag', escapeXml(collection.stamp)),
    prop(cal, 'supported-calendar-component-set', element(cal, 'comp', [], { name: 'VEVENT' })),
    prop(
      cal,
      'supported-calendar-data',
      element(cal, 'calendar-data', [], { 'content-type': 'text/calendar', version: '2.0' }),
    ),
    prop(cal, 'max-resource-size', escapeXml(String(maxBytes))),
    prop(cal, 'max-attendees-per-instance', escapeXml(String(maxParticipants))),
    prop(apple, 'calendar-color', escapeXml(`${collection.color}FF`)),
  ])
}

export const objectType = 'text/calendar; charset=utf-8; component=VEVENT'

export const objectProperties = (
  member: DavMember,
  { etag, body }: { etag: string; body?: string },
): Properties =>
  new Map([
    ...common(member),
    prop(dav, 'resourcetype'),
    prop(dav, 'getetag', escapeXml(etag)),
    prop(dav, 'getcontenttype', escapeXml(objectType)),
    ...(body === undefined ? [] : [prop(cal, 'calendar-data', escapeXml(body))]),
  ])

/** The response for one resource: requested properties that exist, and those that do not. */
export function responseOf(
  path: string,
  properties: Properties,
  { names, all, onlyNames }: ReturnType<typeof readRequestedProperties>,
): Markup {
  const requested = all
    ? [...properties.keys()].map((key) => {
        const [namespace = '', name = ''] = key.split(' ')
        return { namespace, name }
      })
    : names
  const found: Markup[] = []
  const missing: Markup[] = []
  for (const property of requested) {
    const inside = properties.get(keyOf(property))
    const { namespace, name } = property
    if (inside === undefined) missing.push(element(namespace, name))
    else found.push(element(namespace, name, onlyNames ? [] : inside))
  }
  return element(dav, 'response', [
    href(path),
    ...(found.length > 0 || missing.length === 0 ? [propstat(found, '200 OK')] : []),
    ...(missing.length > 0 ? [propstat(missing, '404 Not Found')] : []),
  ])
}

export const propstat = (properties: readonly Markup[], status: string) =>
  element(dav, 'propstat', [
    element(dav, 'prop', properties),
    element(dav, 'status', `HTTP/1.1 ${status}` as Markup),
  ])

export const notFoundResponse = (path: string) =>
  element(dav, 'response', [href(path), element(dav, 'status', 'HTTP/1.1 404 Not Found' as Markup)])

/** The properties a MKCALENDAR or PROPPATCH sets or removes. */
export const listPropertyChanges = (body: XmlNode | undefined) =>
  (body?.children ?? [])
    .filter((child) => isNode(child, dav, 'set') || isNode(child, dav, 'remove'))
    .flatMap((change) =>
      (childOf(change, dav, 'prop')?.children ?? []).map((property) => ({
        property,
        removed: change.name === 'remove',
      })),
    )
export const isName = (property: XmlNode) => isNode(property, dav, 'displayname')
export const isColor = (property: XmlNode) => isNode(property, apple, 'calendar-color')
export const pathOf = ({ username }: DavMember, { segment }: Collection) =>
  calendarPath(username, segment)
