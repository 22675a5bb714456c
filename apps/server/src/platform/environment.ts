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

/** Every environment variable the server reads; docs/operate.md prints this table. */
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
    'of a demo: where its systems are, which npm start starts; its services lead there',
    'http://localhost:8081',
    (value) => hasScheme(value, /^https?:$/) && new URL(value).pathname === '/',
    'an http or https address without a path',
  ),
  ATRIUM_CAMPUS_SECRET: optional(
    'of a demo: what it and its systems know of each other',
    '(32 or more random characters)',
    (value) => value.length >= 32,
    'at least 32 characters',
  ),
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
    'API requests of one session and minute; 0: no limits at all',
  ),
  ATRIUM_RATE_LIMIT_ADDRESS: integer(
    60_000,
    1,
    10_000_000,
    'API requests of one address and minute that come without a valid session; a campus may share one address',
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
    'networks of the institution that outgoing requests may reach, each with a port or with every one; none without it',
    '10.20.0.0/16:443,[fd00::/8]:443',
    isOutboundAllow,
    outboundAllowForm,
  ),
  ATRIUM_OUTBOUND_ALLOW_FILE: optional(
    'a file with more of them, a range to a line, which is read again when it changes',
    '/etc/atrium/outbound-allow',
    (value) => path.isAbsolute(value),
    'the absolute path of a file',
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
  ATRIUM_S3_BUCKET: optional(
    'bucket for uploaded files; without it they lie in the data folder',
    'atrium-files',
    (value) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value),
    'the name of a bucket',
  ),
  ATRIUM_S3_ENDPOINT: optional(
    'address of what speaks S3; without it Amazon’s own',
    'https://s3.example.edu',
    (value) => hasScheme(value, /^https?:$/),
    'an http or https address',
  ),
  ATRIUM_S3_REGION: text('us-east-1', 'region of the bucket'),
  ATRIUM_S3_KEY_ID: optional(
    'access key for the bucket; without it whatever the machine itself is allowed',
    'AKIAEXAMPLE',
    (value) => /^\S{3,128}$/.test(value),
    'an access key id',
  ),
  ATRIUM_S3_KEY_SECRET: optional(
    'the secret of that key',
    '(the secret access key)',
    (value) => /^\S{8,256}$/.test(value),
    'the secret access key, 8 characters or more',
  ),
  ATRIUM_S3_PATH_STYLE: flag(
    '1: the bucket stands in the path, not in the host name (MinIO and others)',
  ),
  ATRIUM_CLAMD: optional(
    'clamd, which looks at every upload; without it none is looked at',
    'tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl',
    (value) => clamdAddress(value) !== undefined,
    'an address such as tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl',
  ),
  ATRIUM_CLAMD_DOWN: choice(
    ['refuse', 'hold'],
    'refuse',
    'while clamd does not answer: refuse uploads, or take them and show them to nobody until it has looked',
  ),
  ATRIUM_OFFICE: text(
    'soffice',
    'LibreOffice, which makes office files readable in the browser; off: never',
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
  ATRIUM_SMS: choice(
    ['none', 'http', 'aliyun', 'tencent'],
    'none',
    'who sends short messages; a demo sends none and keeps them for operators to read',
  ),
  ATRIUM_SMS_URL: optional(
    'the gateway of http, in which {to}, {text}, {template}, {code} are filled in; for the others a relay in place of their own address',
    'https://sms.example.edu/send?to={to}',
    (value) => hasScheme(value.replaceAll(/\{\w+\}/g, 'x'), /^https?:$/),
    'an http or https address',
  ),
  ATRIUM_SMS_BODY: text(
    '',
    'what is posted to the gateway of http, JSON or a form, filled in alike; without it the gateway is asked by GET',
  ),
  ATRIUM_SMS_HEADER: optional(
    'a header that lets us in at the gateway of http',
    'Authorization: Bearer (token)',
    (value) => /^[\w-]+:\s*\S/.test(value),
    'a name, a colon and a value',
  ),
  ATRIUM_SMS_OK: text(
    '',
    'what stands in the answer of the gateway of http when it took a message',
  ),
  ATRIUM_SMS_KEY_ID: optional(
    'the access key id of Alibaba Cloud, or the SecretId of Tencent Cloud',
    'LTAI5tExample',
    (value) => /^[\w-]{8,128}$/.test(value),
    'an access key id',
  ),
  ATRIUM_SMS_KEY_SECRET: optional(
    'the secret of that key',
    '(the access key secret)',
    (value) => /^\S{16,128}$/.test(value),
    'the access key secret, 16 characters or more',
  ),
  ATRIUM_SMS_SIGN: optional(
    'the approved signature that begins each short message',
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
  ATRIUM_SMS_REGION: text('ap-guangzhou', 'the region of Tencent Cloud'),
  ATRIUM_SMS_TEMPLATES: optional(
    "our texts with the provider's approved ones and their values in order; a name may end in .zh or .en",
    'code.zh=SMS_154950909(code) code.en=SMS_154950910(code)',
    isSmsTemplates,
    'names of ours with the provider’s, such as code=SMS_1(code)',
  ),
  ATRIUM_MAIL_URL: optional(
    'the mail server, with its user and password; smtp:// must offer STARTTLS unless ?tls=off follows',
    'smtps://portal:secret@mail.example.edu:465',
    (value) => hasScheme(value, /^smtps?:$/) && new URL(value).hostname !== '',
    'an address such as smtps://user:password@host:465',
  ),
  ATRIUM_MAIL_FROM: optional(
    'the sender of mails; set together with ATRIUM_MAIL_URL',
    'Example University <portal@example.edu>',
    (value) => /^[^@]*[^\s<@]+@[^\s>@]+>?$/.test(value) && !/[\r\n]/.test(value),
    'a mail address, or a name and <a mail address>',
  ),
  ATRIUM_MAIL_REPLIES: optional(
    'the mailbox to which people outside answer invitations, over IMAP; imap:// must offer STARTTLS unless ?tls=off follows',
    'imaps://calendar:secret@imap.example.edu:993/INBOX',
    (value) => hasScheme(value, /^imaps?:$/) && new URL(value).hostname !== '',
    'an address such as imaps://user:password@host:993/INBOX',
  ),
  ATRIUM_MAIL_REPLY_TO: optional(
    'the address of that mailbox, with {token} where each invitation has its own letters',
    'calendar+{token}@example.edu',
    (value) => /^[\w.+=-]*\{token\}[\w.+=-]*@[a-z0-9.-]+$/i.test(value) && value.indexOf('@') <= 39,
    'a mail address with {token} in its first part',
  ),
  ATRIUM_DRAIN_S: integer(
    5,
    0,
    600,
    'seconds for which a server that is asked to stop (SIGTERM) goes on serving, not ready any more, so that balancers send nobody there',
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
