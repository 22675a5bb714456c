import { type DestinationStream, type Logger, pino } from 'pino'
import { sqlState } from '#platform/database/db.ts'
import { hideValues } from '#platform/database/outage.ts'

/** Fields that must not be logged; hidden at the top level and two levels down. */
const secrets = [
  'password',
  'idToken',
  'token',
  'ticket',
  'smscode',
  'authorization',
  'cookie',
  '["x-id-token"]',
  '["set-cookie"]',
  'secret',
]

/** Properties of an error that are logged besides message and stack: names and codes, never values. */
const facts = [
  ...['code', 'errno', 'syscall', 'address', 'port', 'path', 'status', 'statusCode'],
  ...['severity', 'schema', 'table', 'column', 'constraint', 'dataType', 'routine'],
  ...['queue', 'worker', 'requestId'],
] as const

/**
 * Serialises an error for the log. Only listed properties pass, because PostgreSQL's `detail`, `where` and query can
 * contain row values.
 */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const given = error as Error & Record<string, unknown>
  const message = hideValues(error.message, sqlState(error))
  const errors = (error as AggregateError).errors
  return {
    type: error.name === 'error' ? 'PostgreSQL' : error.name,
    message,
    stack: error.stack?.replace(error.message, () => message),
    ...Object.fromEntries(
      facts.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
    ),
    ...(error.cause !== undefined && { cause: loggedError(error.cause) }),
    ...(Array.isArray(errors) && { errors: errors.map(loggedError) }),
  }
}

export const openLog = (level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      serializers: { err: loggedError },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: secrets.flatMap((name) =>
          name.startsWith('[')
            ? [`*${name}`, `*.headers${name}`]
            : [name, `*.${name}`, `*.*.${name}`],
        ),
        censor: '(hidden)',
      },
    },
    destination ?? pino.destination(1),
  )

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type Say = (...words: unknown[]) => void

/**
 * A request's logger. Redaction makes child loggers expensive and most requests log nothing, so the first line creates
 * it.
 */
class RequestLog {
  own: Logger | undefined
  readonly level: string
  readonly log: Logger
  readonly bindings: Record<string, unknown>
  constructor(log: Logger, bindings: Record<string, unknown>) {
    this.level = log.level
    this.log = log
    this.bindings = bindings
  }
  child(more: Record<string, unknown>) {
    return this.log.child({ ...this.bindings, ...more })
  }
  say(level: (typeof levels)[number], words: unknown[]) {
    if (!this.log.isLevelEnabled(level)) return
    this.own ??= this.log.child(this.bindings)
    ;(this.own[level] as Say)(...words)
  }
}
for (const level of levels)
  Object.defineProperty(RequestLog.prototype, level, {
    value(this: RequestLog, ...words: unknown[]) {
      this.say(level, words)
    },
  })

export const requestLog = (log: Logger, bindings: Record<string, unknown>): Logger =>
  new RequestLog(log, bindings) as unknown as Logger
