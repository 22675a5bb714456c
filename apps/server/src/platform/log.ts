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
export function requestLog(log: Logger, bindings: Record<string, unknown>): Logger {
  let child: Logger | undefined
  const lazy: Record<string, unknown> = {
    level: log.level,
    child: (more: Record<string, unknown>) => log.child({ ...bindings, ...more }),
  }
  for (const level of levels) {
    lazy[level] = (...words: unknown[]) => {
      if (!log.isLevelEnabled(level)) return
      child ??= log.child(bindings)
      ;(child[level] as Say)(...words)
    }
  }
  return lazy as unknown as Logger
}
