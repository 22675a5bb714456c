import type { Answer, EventName } from './events.ts'

/** Time limits in milliseconds. `userLimit` applies where the user has to decide something. */
const quickLimit = 5000
const userLimit = 120_000
const slowLimit = 30_000

type Rule<E extends EventName> = { limit: number; read: (answer: unknown) => Answer<E> }

/**
 * Time limit and answer parser for each host-app event. The answer comes from another program and is validated first; a
 * parser throws if the answer is unusable.
 */
export const answers: { [E in EventName]: Rule<E> } = {
  sysGetUserToken: {
    limit: quickLimit,
    read: (answer) => ({ idToken: text(field(answer, 'idToken'), 8000) }),
  },
  sysLogout: { limit: quickLimit, read: readNothing },
  addCalendar: { limit: userLimit, read: readNothing },
  sysCleanCache: { limit: slowLimit, read: readNothing },
  sysVpnState: {
    limit: quickLimit,
    read: (answer) => ({ connected: flag(field(answer, 'connected')) }),
  },
  sysVpnConnectOrDisconnect: {
    limit: slowLimit,
    read: (answer) => ({ connected: flag(field(answer, 'connected')) }),
  },
  sysGetCacheSize: {
    limit: quickLimit,
    read: (answer) => ({ bytes: count(field(answer, 'bytes')) }),
  },
  sysGetAppVersion: {
    limit: quickLimit,
    read(answer) {
      const version = text(field(answer, 'version'), 50)
      const newVersion = field(answer, 'newVersion')
      return newVersion ? { version, newVersion: text(newVersion, 50) } : { version }
    },
  },
  sysVersionUpdate: { limit: userLimit, read: readNothing },
  sysNavigateToMiniProgram: { limit: userLimit, read: readNothing },
  getAllMessage: {
    limit: quickLimit,
    read(answer) {
      const list = field(answer, 'messages')
      if (!Array.isArray(list)) throw new TypeError('no list')
      const messages = list.slice(0, 200).map((message) => ({
        msgId: text(field(message, 'msgId'), 100),
        title: text(field(message, 'title'), 500),
      }))
      return { messages }
    },
  },
  sysInfoAuthorizeGetState: {
    limit: quickLimit,
    read: (answer) => ({ authorized: flag(field(answer, 'authorized')) }),
  },
  sysInfoAuthorize: {
    limit: userLimit,
    read: (answer) => ({ authorized: flag(field(answer, 'authorized')) }),
  },
  remove: { limit: quickLimit, read: readNothing },
  sysSetBadge: { limit: quickLimit, read: readNothing },
  scanCode: { limit: userLimit, read: (answer) => ({ text: text(field(answer, 'text'), 8000) }) },
  share: { limit: userLimit, read: () => ({ done: 'shared' }) },
  copy: { limit: quickLimit, read: readNothing },
  locate: {
    limit: userLimit,
    read: (answer) => ({
      latitude: within(field(answer, 'latitude'), 90),
      longitude: within(field(answer, 'longitude'), 180),
      accuracy: count(field(answer, 'accuracy')),
    }),
  },
  openBrowser: { limit: quickLimit, read: () => ({ done: 'opened' }) },
  openService: { limit: quickLimit, read: readNothing },
}

export const eventNames = Object.keys(answers) as EventName[]

export function field(answer: unknown, name: string): unknown {
  return typeof answer === 'object' && answer !== null
    ? (answer as Record<string, unknown>)[name]
    : undefined
}

function readNothing() {
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
