import { isIP } from 'node:net'
import path from 'node:path'
import { messageIssues } from '#platform/delivery/message-issues.ts'
import { readSmsTemplates } from '#platform/delivery/sms-templates.ts'
import { outboundAllowForm, readOutboundAllow } from '#platform/outbound/outbound.ts'
import { readAllowFile } from '#platform/outbound/outbound-allow.ts'
import { clamdAddress } from '#platform/storage/clamd.ts'

/** A reason not to start or run, in one sentence for the operator. Printed without a stack. */
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

function isSmsTemplates(value: string) {
  try {
    return readSmsTemplates(value).size > 0
  } catch {
    return false
  }
}

/** Every environment variable the server reads; docs/maps/environment.md prints this table. */
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
  ATRIUM_CAMPUS_URL: optional(
    'demo only: address of the simulated campus systems that npm start runs; the demo services point to it',
    'http://localhost:8081',
    (value) => hasScheme(value, /^https?:$/) && new URL(value).pathname === '/',
    'an http or https address without a path',
  ),
  ATRIUM_CAMPUS_SECRET: optional(
    'demo only: secret shared with the simulated campus systems',
    '(32 or more random characters)',
    (value) => value.length >= 32,
    'at least 32 characters',
  ),
  ATRIUM_PUBLIC_URL: optional(
    'public address of the portal; tokens, cookies and redirects are issued for it',
    'https://m.example.edu',
    (value) => hasScheme(value, /^https?:$/) && new URL(value).pathname === '/',
    'an http or https address without a path',
  ),
  ATRIUM_TRUST_PROXY: optional(
    'addresses or ranges of the reverse proxies whose X-Forwarded-For is trusted, comma-separated',
    '10.0.0.0/8',
    (value) => value.split(',').every((part) => isIP(part.trim().split('/')[0] ?? '') > 0),
    'IP addresses or CIDR ranges, comma-separated',
  ),
  DATABASE_URL: optional(
    'PostgreSQL 15 or newer; if not set, the embedded database is used',
    'postgres://atrium:secret@db.example.edu/atrium',
    (value) => hasScheme(value, /^postgres(ql)?:$/),
    'an address such as postgres://user:password@host/database',
  ),
  ATRIUM_DB_POOL: integer(10, 2, 200, 'maximum number of database connections'),
  REDIS_URL: optional(
    'Redis for request limits shared by several nodes; if not set, each node counts on its own',
    'redis://redis.example.edu:6379',
    (value) => hasScheme(value, /^rediss?:$/),
    'an address such as redis://host:6379',
  ),
  ATRIUM_SECRET: optional(
    'encrypts keys in the database and signs addresses; must be the same on every node; if not set, one is created in the data folder',
    '(32 or more random characters)',
    (value) => value.length >= 32,
    'at least 32 characters',
  ),
  ATRIUM_LOG_LEVEL: choice(
    ['silent', 'error', 'warn', 'info', 'debug', 'trace'],
    'info',
    'log level',
  ),
  ATRIUM_RATE_LIMIT: integer(
    6000,
    0,
    1_000_000,
    'API requests per session and minute; 0: no limits at all',
  ),
  ATRIUM_RATE_LIMIT_ADDRESS: integer(
    60_000,
    1,
    10_000_000,
    'API requests without a valid session per address and minute; a whole campus may share one address',
  ),
  ATRIUM_METRICS_TOKEN: optional(
    'bearer token with which a remote collector may read /metrics; if not set, only this machine may',
    '(16 or more random characters)',
    (value) => value.length >= 16,
    'at least 16 characters',
  ),
  ATRIUM_BODY_CACHE_MB: integer(
    48,
    0,
    4096,
    'memory to cache responses that many members share; 0: no cache, query the database every time',
  ),
  ATRIUM_HASH_THREADS: integer(1, 1, 64, 'passwords hashed at the same time; others wait'),
  ATRIUM_OUTBOUND_ALLOW: optional(
    'networks of the institution that outgoing requests may reach, each with one port or for every port; if not set, none',
    '10.20.0.0/16:443,[fd00::/8]:443',
    isOutboundAllow,
    outboundAllowForm,
  ),
  ATRIUM_OUTBOUND_ALLOW_FILE: optional(
    'a file with more such networks, one per line; reloaded when it changes',
    '/etc/atrium/outbound-allow',
    (value) => path.isAbsolute(value),
    'the absolute path of a file',
  ),
  ATRIUM_IMAGE_CACHE_MB: integer(
    512,
    16,
    1_000_000,
    'disk space in the data folder for resized pictures; the least recently used are deleted first',
  ),
  ATRIUM_IMAGE_KEY: optional(
    'key with which other systems sign picture addresses, as thumbor does; if not set, addresses are unsigned',
    '(16 or more random characters)',
    (value) => value.length >= 16,
    'at least 16 characters',
  ),
  ATRIUM_S3_BUCKET: optional(
    'S3 bucket for uploaded files; if not set, they are stored in the data folder',
    'atrium-files',
    (value) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value),
    'the name of a bucket',
  ),
  ATRIUM_S3_ENDPOINT: optional(
    'address of the S3-compatible service; if not set, Amazon S3',
    'https://s3.example.edu',
    (value) => hasScheme(value, /^https?:$/),
    'an http or https address',
  ),
  ATRIUM_S3_REGION: text('us-east-1', 'region of the bucket'),
  ATRIUM_S3_KEY_ID: optional(
    'access key for the bucket; if not set, the machine’s own credentials are used',
    'AKIAEXAMPLE',
    (value) => /^\S{3,128}$/.test(value),
    'an access key id',
  ),
  ATRIUM_S3_KEY_SECRET: optional(
    'secret of ATRIUM_S3_KEY_ID',
    '(the secret access key)',
    (value) => /^\S{8,256}$/.test(value),
    'the secret access key, 8 characters or more',
  ),
  ATRIUM_S3_PATH_STYLE: flag(
    '1: the bucket name is in the path, not in the host name (MinIO and others)',
  ),
  ATRIUM_CLAMD: optional(
    'clamd (ClamAV) that scans every upload; if not set, uploads are not scanned',
    'tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl',
    (value) => clamdAddress(value) !== undefined,
    'an address such as tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl',
  ),
  ATRIUM_CLAMD_DOWN: choice(
    ['refuse', 'hold'],
    'refuse',
    'while clamd does not answer: refuse uploads, or accept them and hold them back until scanned',
  ),
  ATRIUM_OFFICE: text(
    'soffice',
    'LibreOffice command that converts office files for viewing in the browser; off: no conversion',
  ),
  ATRIUM_EVENT_MONTHS: integer(
    12,
    1,
    1200,
    'whole months for which recorded events are kept; older ones are deleted',
  ),
  ATRIUM_WECHAT_APP_ID: optional(
    'app id of the WeChat account whose JS-SDK the portal uses; if not set, the portal does not use it',
    'wx0123456789abcdef',
    (value) => /^[\w-]{4,64}$/.test(value),
    'an app id such as wx0123456789abcdef',
  ),
  ATRIUM_WECHAT_SECRET: optional(
    'secret of that account; set together with ATRIUM_WECHAT_APP_ID',
    '(the app secret)',
    (value) => /^\S{16,128}$/.test(value),
    'the app secret, 16 characters or more',
  ),
  ATRIUM_WECHAT_API: address(
    'https://api.weixin.qq.com',
    'address of the WeChat API, or of a relay',
  ),
  ATRIUM_SMS: choice(
    ['none', 'http', 'aliyun', 'tencent'],
    'none',
    'how SMS are sent; a demo sends none and stores them for operators to read',
  ),
  ATRIUM_SMS_URL: optional(
    'gateway of ATRIUM_SMS=http, in which {to}, {text}, {template}, {code} are replaced; for aliyun and tencent a relay instead of their own address',
    'https://sms.example.edu/send?to={to}',
    (value) => hasScheme(value.replaceAll(/\{\w+\}/g, 'x'), /^https?:$/),
    'an http or https address',
  ),
  ATRIUM_SMS_BODY: text(
    '',
    'body to POST to the gateway of ATRIUM_SMS=http, JSON or a form, with the same placeholders; if not set, GET is used',
  ),
  ATRIUM_SMS_HEADER: optional(
    'request header that authenticates at the gateway of ATRIUM_SMS=http',
    'Authorization: Bearer (token)',
    (value) => /^[\w-]+:\s*\S/.test(value),
    'a name, a colon and a value',
  ),
  ATRIUM_SMS_OK: text(
    '',
    'text in the response of the gateway of ATRIUM_SMS=http when it has accepted a message',
  ),
  ATRIUM_SMS_KEY_ID: optional(
    'access key id of Alibaba Cloud, or SecretId of Tencent Cloud',
    'LTAI5tExample',
    (value) => /^[\w-]{8,128}$/.test(value),
    'an access key id',
  ),
  ATRIUM_SMS_KEY_SECRET: optional(
    'secret of ATRIUM_SMS_KEY_ID',
    '(the access key secret)',
    (value) => /^\S{16,128}$/.test(value),
    'the access key secret, 16 characters or more',
  ),
  ATRIUM_SMS_SIGN: optional(
    'approved signature at the start of each SMS',
    '江岚大学',
    (value) => value.length <= 30,
    'the name of a signature',
  ),
  ATRIUM_SMS_APP_ID: optional(
    'SmsSdkAppId of Tencent Cloud',
    '1400006666',
    (value) => /^\d{6,20}$/.test(value),
    'digits',
  ),
  ATRIUM_SMS_REGION: text('ap-guangzhou', 'region of Tencent Cloud'),
  ATRIUM_SMS_TEMPLATES: optional(
    "maps our texts to the provider's approved templates, with their values in order; a name may end in .zh or .en",
    'code.zh=SMS_154950909(code) code.en=SMS_154950910(code)',
    isSmsTemplates,
    'pairs of our name and the provider’s template, such as code=SMS_1(code)',
  ),
  ATRIUM_MAIL_URL: optional(
    'mail server with user and password; smtp:// requires STARTTLS unless ?tls=off is appended',
    'smtps://portal:secret@mail.example.edu:465',
    (value) => hasScheme(value, /^smtps?:$/) && new URL(value).hostname !== '',
    'an address such as smtps://user:password@host:465',
  ),
  ATRIUM_MAIL_FROM: optional(
    'sender of mails; set together with ATRIUM_MAIL_URL',
    'Example University <portal@example.edu>',
    (value) => /^[^@]*[^\s<@]+@[^\s>@]+>?$/.test(value) && !/[\r\n]/.test(value),
    'a mail address, or a name and <a mail address>',
  ),
  ATRIUM_MAIL_REPLIES: optional(
    'IMAP mailbox that receives answers to invitations from outside; imap:// requires STARTTLS unless ?tls=off is appended',
    'imaps://calendar:secret@imap.example.edu:993/INBOX',
    (value) => hasScheme(value, /^imaps?:$/) && new URL(value).hostname !== '',
    'an address such as imaps://user:password@host:993/INBOX',
  ),
  ATRIUM_MAIL_REPLY_TO: optional(
    'address of that mailbox; {token} is replaced with a different token for each invitation',
    'calendar+{token}@example.edu',
    (value) => /^[\w.+=-]*\{token\}[\w.+=-]*@[a-z0-9.-]+$/i.test(value) && value.indexOf('@') <= 39,
    'a mail address with {token} in its first part',
  ),
  ATRIUM_DRAIN_S: integer(
    5,
    0,
    600,
    'seconds a server keeps serving after SIGTERM while it reports not ready, so that load balancers stop sending requests to it',
  ),
  ATRIUM_JOBS: choice(['on', 'off'], 'on', 'off: this node runs no background jobs'),
} satisfies Record<string, Entry<unknown>>

type Values = {
  [K in keyof typeof environmentTable]: ReturnType<(typeof environmentTable)[K]['read']>
}
export type Environment = Omit<Values, 'HOST' | 'ATRIUM_DATA_DIR'> & {
  HOST: string
  ATRIUM_DATA_DIR: string
}

/** Reads and checks every variable and reports all problems together. An empty value counts as not set. */
export function readEnvironment(source: NodeJS.ProcessEnv): Environment {
  const issues: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(environmentTable)) {
    try {
      values[name] = entry.read(source[name] === '' ? undefined : source[name])
    } catch (error) {
      // Do not repeat the value: it may be a password.
      issues.push(`${name} must be ${(error as Error).message} (${entry.means}).`)
    }
  }
  if (issues.length === 0 && !values.ATRIUM_WECHAT_APP_ID !== !values.ATRIUM_WECHAT_SECRET)
    issues.push('ATRIUM_WECHAT_APP_ID and ATRIUM_WECHAT_SECRET must be set together.')
  if (issues.length === 0 && !values.ATRIUM_S3_KEY_ID !== !values.ATRIUM_S3_KEY_SECRET)
    issues.push('ATRIUM_S3_KEY_ID and ATRIUM_S3_KEY_SECRET must be set together.')
  if (issues.length === 0) issues.push(...messageIssues(values as Values))
  const env = values as Values
  if (issues.length === 0 && env.ATRIUM_OUTBOUND_ALLOW_FILE)
    try {
      env.ATRIUM_OUTBOUND_ALLOW = readAllowFile(
        env.ATRIUM_OUTBOUND_ALLOW,
        env.ATRIUM_OUTBOUND_ALLOW_FILE,
      )
    } catch (error) {
      issues.push((error as Error).message)
    }
  if (issues.length > 0) throw new StartError(issues.join('\n'))
  return {
    ...env,
    HOST: env.HOST ?? (env.ATRIUM_DEMO ? '127.0.0.1' : '0.0.0.0'),
    ATRIUM_DATA_DIR: path.resolve(env.ATRIUM_DATA_DIR),
  }
}
