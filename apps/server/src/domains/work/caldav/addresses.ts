import { principalPath } from '#domains/work/caldav-scheduling/addresses.ts'
import { notFound } from './dav-error.ts'

export { principalPath }

export const mount = '/caldav'

/** The resource a CalDAV path refers to. */
export type Target =
  | { kind: 'root' | 'principals' | 'principal' | 'calendars' | 'home' | 'inbox' | 'outbox' }
  | { kind: 'calendar'; segment: string }
  | { kind: 'object'; segment: string; name: string }

const join = (...parts: string[]) => `${mount}/${parts.map(encodeURIComponent).join('/')}`
export const rootPath = `${mount}/`
export const homePath = (username: string) => `${join('calendars', username)}/`
/** The scheduling inbox (RFC 6638 §2), and the outbox for free-busy requests. */
export const schedulingPath = (username: string, box: 'inbox' | 'outbox') =>
  `${join('calendars', username, box)}/`
export const calendarPath = (username: string, segment: string) =>
  `${join('calendars', username, segment)}/`
export const objectPath = (username: string, segment: string, name: string) =>
  join('calendars', username, segment, name)

/**
 * Resolves a path or an absolute URL for a member. Resources of other members count as missing.
 * @throws DavError 404
 */
export function targetOf(address: string, username: string): Target {
  const path = (/^https?:\/\/[^/]+(\/.*)$/i.exec(address)?.[1] ?? address).split('?', 1)[0] ?? ''
  const [first, ...parts] = path.split('/').slice(1).map(decoded)
  if (`/${first}` !== mount) throw notFound()
  if (parts.at(-1) === '') parts.pop()
  const [area, name, segment, object, ...more] = parts
  if (more.length > 0 || parts.includes('')) throw notFound()
  if (area === undefined) return { kind: 'root' }
  if (area !== 'principals' && area !== 'calendars') throw notFound()
  if (name === undefined) return { kind: area }
  if (name.toLowerCase() !== username) throw notFound()
  if (area === 'principals' && segment === undefined) return { kind: 'principal' }
  if (area !== 'calendars') throw notFound()
  if (segment === undefined) return { kind: 'home' }
  if (object === undefined && (segment === 'inbox' || segment === 'outbox'))
    return { kind: segment }
  return object === undefined
    ? { kind: 'calendar', segment }
    : { kind: 'object', segment, name: object }
}

function decoded(part: string) {
  try {
    return decodeURIComponent(part)
  } catch {
    throw notFound()
  }
}
