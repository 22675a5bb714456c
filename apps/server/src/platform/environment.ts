import { isIP } from 'node:net'
import path from 'node:path'
import { readOutboundAllow } from './outbound.ts'

/** A reason not to start, in one sentence for the person who starts it. Printed without a stack. */
export class StartError extends Error {}

type Entry<T> = { means: string; example?: string; read: (value: string | undefined) => T }

const wrong = (wanted: string) => new Error(wanted)

const text = (initial: string, means: string): Entry<string> => ({
  means,
  read: (value) => value ?? initial,
})
const optional = (
  means: string,
  example: string,
  accept: (value: string) => boolean,
  wanted: string,
): Entry<string | undefined> => ({
  means,
  example,
  read: (value) => {
    if (value === undefined) return undefined
    if (!accept(value)) throw wrong(wanted)
    return value
  },
})
const integer = (initial: number, min: number, max: number, means: string): Entry<number> => ({
  means,
  read: (value) => {
    if (value === undefined) return initial
    const number = Number(value)
    if (!Number.isInteger(number) || number < min || number > max)
      throw wrong(`a whole number from ${min} to ${max}`)
    return number
  },
})
const flag = (means: string): Entry<boolean> => ({
  means,
  read: (value) => {
    if (value === undefined || value === '0') return false
    if (value === '1') return true
    throw wrong('0 or 1')
  },
})
const choice = <const V extends readonly string[]>(
  values: V,
  initial: V[number],
  means: string,
): Entry<V[number]> => ({
  means,
  read: (value) => {
    if (value === undefined) return initial
    if (!values.includes(value)) throw wrong(`one of ${values.join(', ')}`)
    return value
  },
})
const hasScheme = (value: string, schemes: RegExp) =>
  URL.canParse(value) && schemes.test(new URL(value).protocol)

const address = (initial: string, means: string): Entry<string> => ({
  means,
  read: (value) => {
    if (value === undefined) return initial
    if (!hasScheme(value, /^https?:$/)) throw wrong('an http or https address')
    return value
  },
})

function isOutboundAllow(value: string) {
  try {
    return readOutboundAllow(value).length > 0
  } catch {
    return false
  }
}

/** Every variable the server reads; docs/operate.md prints this table. */
export const environmentTable = {
  PORT: integer(8080, 0, 65535, 'port to listen on; 0 takes a free one'),
  HOST: optional(
    'address to listen on; 127.0.0.1 in a demo, else 0.0.0.0',
    '0.0.0.0',
    (value) => isIP(value) > 0 || /^[a-z0-9.-]+$/i.test(value),
    'an IP address or a host name',
  ),
  ATRIUM_DATA_DIR: text(
    '.atrium',
    'folder for the embedded database, uploaded files and the secret',
  ),
  ATRIUM_DEMO: flag('1: fill an empty database with the demo institution'),
  ATRIUM_PUBLIC_URL: optional(
    'the address members use; tokens, cookies and redirects are made for it',
    'https://m.example.edu',
    (value) => hasScheme(value, /^https?:$/) && new URL(value).pathname === '/',
    'an http or https address without a path',
  ),
  ATRIUM_TRUST_PROXY: optional(
    'addresses or ranges of the reverse proxies whose X-Forwarded-For is believed, comma-separated',
    '10.0.0.0/8',
    (value) => value.split(',').every((part) => isIP(part.trim().split('/')[0] ?? '') > 0),
    'IP addresses or CIDR ranges, comma-separated',
  ),
  DATABASE_URL: optional(
    'PostgreSQL 15 or newer; without it the embedded one runs',
    'postgres://atrium:secret@db.example.edu/atrium',
    (value) => hasScheme(value, /^postgres(ql)?:$/),
    'an address such as postgres://user:password@host/database',
  ),
  ATRIUM_DB_POOL: integer(10, 2, 200, 'connections to the database, at most'),
  REDIS_URL: optional(
    'Redis for limits that several nodes share; without it each node counts for itself',
    'redis://redis.example.edu:6379',
    (value) => hasScheme(value, /^rediss?:$/),
    'an address such as redis://host:6379',
  ),
  ATRIUM_SECRET: optional(
    'seals keys in the database and signs addresses; without it one is made and kept in the data folder; the same on every node',
    '(32 or more random characters)',
    (value) => value.length >= 32,
    'at least 32 characters',
  ),
  ATRIUM_LOG_LEVEL: choice(
    ['silent', 'error', 'warn', 'info', 'debug', 'trace'],
    'info',
    'how much is logged',
  ),
  ATRIUM_RATE_LIMIT: integer(
    6000,
    0,
    1_000_000,
    'API requests for one session, or one address without a session, and minute; 0: no limit',
  ),
  ATRIUM_METRICS_TOKEN: optional(
    'lets a collector elsewhere read /metrics as a bearer token; without it only this machine may',
    '(16 or more random characters)',
    (value) => value.length >= 16,
    'at least 16 characters',
  ),
  ATRIUM_BODY_CACHE_MB: integer(
    48,
    0,
    4096,
    'memory for answers that many members share; 0 keeps none and asks the database every time',
  ),
  ATRIUM_HASH_THREADS: integer(1, 1, 64, 'passwords hashed at the same time; the others wait'),
  ATRIUM_OUTBOUND_ALLOW: optional(
    'networks of the institution that outgoing requests may reach, each with a port; none without it',
    '10.20.0.0/16:443,[fd00::/8]:443',
    isOutboundAllow,
    'ranges with a port, comma-separated',
  ),
  ATRIUM_IMAGE_CACHE_MB: integer(
    512,
    16,
    1_000_000,
    'disk space in the data folder for pictures made smaller; those not asked for longest go first',
  ),
  ATRIUM_IMAGE_KEY: optional(
    'key with which other systems sign picture addresses, as thumbor does; without it addresses are unsigned',
    '(16 or more random characters)',
    (value) => value.length >= 16,
    'at least 16 characters',
  ),
  ATRIUM_EVENT_MONTHS: integer(
    12,
    1,
    1200,
    'whole months for which recorded events are kept; older ones are dropped',
  ),
  ATRIUM_WECHAT_APP_ID: optional(
    'the WeChat account whose JS-SDK pages of the portal use; without it they go without',
    'wx0123456789abcdef',
    (value) => /^[\w-]{4,64}$/.test(value),
    'an app id such as wx0123456789abcdef',
  ),
  ATRIUM_WECHAT_SECRET: optional(
    'the secret of that account; set together with its app id',
    '(the app secret)',
    (value) => /^\S{16,128}$/.test(value),
    'the app secret, 16 characters or more',
  ),
  ATRIUM_WECHAT_API: address('https://api.weixin.qq.com', "WeChat's own servers, or a relay"),
  ATRIUM_JOBS: choice(['on', 'off'], 'on', 'off: this node runs no background jobs'),
} satisfies Record<string, Entry<unknown>>

type Values = {
  [K in keyof typeof environmentTable]: ReturnType<(typeof environmentTable)[K]['read']>
}
export type Environment = Omit<Values, 'HOST' | 'ATRIUM_DATA_DIR'> & {
  HOST: string
  ATRIUM_DATA_DIR: string
}

/** Reads and checks every variable; all that is wrong is said at once. An empty value counts as not set. */
export function readEnvironment(source: NodeJS.ProcessEnv): Environment {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(environmentTable)) {
    try {
      values[name] = entry.read(source[name] === '' ? undefined : source[name])
    } catch (error) {
      // The value itself is not repeated: it may be a password.
      faults.push(`${name} must be ${(error as Error).message} (${entry.means}).`)
    }
  }
  if (faults.length === 0 && !values.ATRIUM_WECHAT_APP_ID !== !values.ATRIUM_WECHAT_SECRET)
    faults.push('ATRIUM_WECHAT_APP_ID and ATRIUM_WECHAT_SECRET must be set together.')
  if (faults.length > 0) throw new StartError(faults.join('\n'))
  const env = values as Values
  return {
    ...env,
    HOST: env.HOST ?? (env.ATRIUM_DEMO ? '127.0.0.1' : '0.0.0.0'),
    ATRIUM_DATA_DIR: path.resolve(env.ATRIUM_DATA_DIR),
  }
}
