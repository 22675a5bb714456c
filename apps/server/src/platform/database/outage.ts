import type { Logger } from 'pino'
import { outages } from '#platform/metrics.ts'
import { sqlState } from './db.ts'

/**
 * A failure of the database or the disk that may pass by itself: `away` unreachable, shutting down, or out of
 * connections; `full` the disk is full; `read-only` it accepts no changes, as after a failover.
 */
export type Outage = 'away' | 'full' | 'read-only'

/** Node.js error codes of connections and disks. ENOENT is missing here because it usually means a missing file. */
const byCode: Record<string, Outage> = {
  ECONNREFUSED: 'away',
  ECONNRESET: 'away',
  ECONNABORTED: 'away',
  EPIPE: 'away',
  ETIMEDOUT: 'away',
  EHOSTUNREACH: 'away',
  EHOSTDOWN: 'away',
  ENETUNREACH: 'away',
  ENETDOWN: 'away',
  ENOTFOUND: 'away',
  EAI_AGAIN: 'away',
  EAI_FAIL: 'away',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
}

const byState: [RegExp, Outage][] = [
  [/^53100$/, 'full'],
  [/^25006$/, 'read-only'],
  // connection lost or refused; too many connections; shutting down; system failure; password changed, database
  // dropped, or session ended by the idle timeout
  [/^(08|53|57P|58|28|3D000$|25P03$)/, 'away'],
]

/** Messages of `pg`, its pool and Kysely that have no code. */
const away =
  /timeout exceeded when trying to connect|timeout expired|establishing an SSL connection|connection terminated|connection error and is not queryable|client was closed|query read timeout|pool after calling end|driver has already been destroyed/i

export function outageOf(error: unknown): Outage | undefined {
  const state = sqlState(error)
  if (state) return byState.find(([pattern]) => pattern.test(state))?.[1]
  const { code, message, syscall } = (error ?? {}) as NodeJS.ErrnoException
  if (code === 'ENOENT' && syscall === 'connect') return 'away'
  return byCode[code ?? ''] ?? (away.test(message ?? '') ? 'away' : undefined)
}

export const isOutage = (error: unknown): boolean => outageOf(error) !== undefined

const sentences: Record<Outage, string> = {
  away: 'The database cannot be reached.',
  full: 'The disk of the database or of the data folder is full: data can be read but not written. Free some space; Atrium then continues by itself.',
  'read-only':
    'The database takes no changes (it is read-only, like a standby that was not promoted): data can be read but not written. Atrium continues by itself when the database takes changes again.',
}

/** Occurrences since the last log line, by kind. */
const met = new Map<Outage, number>()

/** Logs at most one line per second for each kind of outage, however many requests fail. */
export function logOutage(log: Pick<Logger, 'warn' | 'error'>, outage: Outage, error: unknown) {
  outages.inc({ outage })
  const more = met.get(outage)
  if (more !== undefined) {
    met.set(outage, more + 1)
    return
  }
  const { message } = error as Error
  const say = (times: number) =>
    log[outage === 'away' ? 'warn' : 'error'](
      { outage, times, last: hideValues(message, sqlState(error)) },
      sentences[outage],
    )
  say(1)
  met.set(outage, 0)
  const timer = setInterval(() => {
    const times = met.get(outage) ?? 0
    met.set(outage, 0)
    if (times > 0) return say(times)
    met.delete(outage)
    clearInterval(timer)
  }, 1000)
  timer.unref()
}

/** Logs an error of background work that will continue: an outage through `logOutage`, anything else with its stack. */
export function logRecoverable(log: Logger, error: unknown, sentence: string, facts: object = {}) {
  const outage = outageOf(error)
  if (outage) logOutage(log, outage, error)
  else log.warn({ err: error, ...facts }, sentence)
}

/** Removes the value from PostgreSQL's data errors (class 22): it may be personal data. */
export const hideValues = (message: string, state: string | undefined) =>
  state?.startsWith('22') ? message.replace(/".*"/s, '(hidden)') : message
