import type { Answer, EventName } from './events.ts'

/** Time limits in milliseconds. `person` applies where the user has to decide something. */
const quick = 5000
const person = 120_000
const slow = 30_000

type Rule<E extends EventName> = { limit: number; read: (given: unknown) => Answer<E> }

/**
 * Time limit and answer parser for each host-app event. The answer comes from another program and is validated first; a
 * parser throws if the answer is unusable.
 */
export const answers: { [E in EventName]: Rule<E> } = {
  sysGetUserToken: {
    limit: quick,
    read: (given) => ({ idToken: text(field(given, 'idToken'), 8000) }),
  },
  sysLogout: { limit: quick, read: nothing },
  addCalendar: { limit: person, read: nothing },
  sysCleanCache: { limit: slow, read: nothing },
  sysVpnState: { limit: quick, read: (given) => ({ connected: flag(field(given, 'connected')) }) },
  sysVpnConnectOrDisconnect: {
    limit: slow,
    read: (given) => ({ connected: flag(field(given, 'connected')) }),
  },
  sysGetCacheSize: { limit: quick, read: (given) => ({ bytes: count(field(given, 'bytes')) }) },
  sysGetAppVersion: {
    limit: quick,
    read(given) {
      const version = text(field(given, 'version'), 50)
      const newVersion = field(given, 'newVersion')
      return newVersion ? { version, newVersion: text(newVersion, 50) } : { version }
    },
  },
  sysVersionUpdate: { limit: person, read: nothing },
  sysNavigateToMiniProgram: { limit: person, read: nothing },
  getAllMessage: {
    limit: quick,
    read(given) {
      const list = field(given, 'messages')
      if (!Array.isArray(list)) throw new TypeError('no list')
      const messages = list.slice(0, 200).map((message) => ({
        msgId: text(field(message, 'msgId'), 100),
        title: text(field(message, 'title'), 500),
      }))
      return { messages }
    },
  },
  sysInfoAuthorizeGetState: {
    limit: quick,
    read: (given) => ({ authorized: flag(field(given, 'authorized')) }),
  },
  sysInfoAuthorize: {
    limit: person,
    read: (given) => ({ authorized: flag(field(given, 'authorized')) }),
  },
  remove: { limit: quick, read: nothing },
  sysSetBadge: { limit: quick, read: nothing },
  scanCode: { limit: person, read: (given) => ({ text: text(field(given, 'text'), 8000) }) },
  share: { limit: person, read: () => ({ done: 'shared' }) },
  copy: { limit: quick, read: nothing },
  locate: {
    limit: person,
    read: (given) => ({
      latitude: within(field(given, 'latitude'), 90),
      longitude: within(field(given, 'longitude'), 180),
      accuracy: count(field(given, 'accuracy')),
    }),
  },
  openBrowser: { limit: quick, read: () => ({ done: 'opened' }) },
  openService: { limit: quick, read: nothing },
}

export const eventNames = Object.keys(answers) as EventName[]

export function field(given: unknown, name: string): unknown {
  return typeof given === 'object' && given !== null
    ? (given as Record<string, unknown>)[name]
    : undefined
}

function nothing() {
  return {}
}

export function text(value: unknown, longest: number) {
  if (typeof value !== 'string' || value === '' || value.length > longest)
    throw new TypeError(`no text of up to ${longest} letters`)
  return value
}

export function flag(value: unknown) {
  if (typeof value !== 'boolean') throw new TypeError('neither true nor false')
  return value
}

function count(value: unknown) {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw new TypeError('no number from 0')
  return value
}

function within(value: unknown, bound: number) {
  if (typeof value !== 'number' || !(Math.abs(value) <= bound))
    throw new TypeError(`no number from -${bound} to ${bound}`)
  return value
}
