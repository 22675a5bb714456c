import { type Logger, pino } from 'pino'

/** What must never reach a log, wherever it stands in what is logged. */
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

export const openLog = (level: string): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secrets.flatMap((name) =>
        name.startsWith('[')
          ? [`*${name}`, `*.headers${name}`]
          : [name, `*.${name}`, `*.*.${name}`],
      ),
      censor: '(hidden)',
    },
  })

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type Say = (...words: unknown[]) => void

/** A request's logger. Hiding secrets makes a child logger dear, and most requests say nothing: it is made by the first line. */
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
