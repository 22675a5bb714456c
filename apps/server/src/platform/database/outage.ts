import type { Logger } from 'pino'
import { outages } from '#platform/metrics.ts'
import { sqlState } from './db.ts'

/**
 * What is wrong with the database, or the disk, where it is nobody's mistake and may pass:
 * `away` it cannot be reached, goes down, or has no room for another connection; `full` nothing can be written for want of
 * disk space; `read-only` it takes no changes, as after a failover.
 */
export type Outage = 'away' | 'full' | 'read-only'

/** What Node.js says of connections and disks. Of these only ENOENT means something else elsewhere: no such file. */
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
  // connection lost or refused; no room for it; going down; a failure of the machine; the password was changed, the database
  // dropped, or the session ended for being idle
  [/^(08|53|57P|58|28|3D000$|25P03$)/, 'away'],
]

/** What `pg`, its pool and Kysely say without a code. */
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
  full: 'The disk of the database or of the data folder is full: what is there can be read, nothing can be written. Free some space; Atrium goes on by itself.',
  'read-only':
    'The database takes no changes, as a copy that has not taken over does: what is there can be read, nothing can be written. Atrium goes on by itself when it does again.',
}

/** What was met since the last line about it. */
const met = new Map<Outage, number>()

/** Writes one line a second for each kind of outage, however many requests meet it. */
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

/** Of work in the background that goes on: an outage in its one line, anything else with where it happened. */
export function logSetback(log: Logger, error: unknown, sentence: string, facts: object = {}) {
  const outage = outageOf(error)
  if (outage) logOutage(log, outage, error)
  else log.warn({ err: error, ...facts }, sentence)
}

/** What PostgreSQL says of a value, without the value: it may be somebody's. */
export const hideValues = (message: string, state: string | undefined) =>
  state?.startsWith('22') ? message.replace(/".*"/s, '(hidden)') : message
