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
