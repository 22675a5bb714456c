import type { SubscriptionProblem } from '@atrium/contract/work/calendar-exchange'
import { sql } from 'kysely'
import { deleteEvents, findMissing, writeEvents } from '#domains/work/schedule/import-calendar.ts'
import { withOwnTransaction } from '#platform/database/own-transaction.ts'
import { announce } from '#platform/database/topics.ts'
import { fetchExternal, OutboundError } from '#platform/outbound/outbound.ts'
import { retryAfterSeconds } from '#platform/outbound/retry-after.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { maxBytes, oneAtATime, readMemberFile, UnreadableFile } from './read-file.ts'

/** Minimum interval between reads of a calendar, in minutes, and maximum interval after failures. */
const defaultMinutes = 60
const maxMinutes = 24 * 60
/** Longer than a read takes, including the wait for its turn. */
const claimMinutes = 10
const maxRedirects = 3

type Outcome = {
  problem: SubscriptionProblem | null
  detail?: string
  /** undefined: unchanged */
  leftOut?: number
  etag?: string
  lastModified?: string
  /** minimum wait requested by the server, in seconds */
  waitSeconds?: number
}

/** Claims a calendar, unless it is being read already. */
const claim = ({ db }: Platform, calendarId: string) =>
  db
    .updateTable('calendar_source')
    .set({ claimed_until: sql`now() + make_interval(mins => ${claimMinutes})` })
    .where('calendar_id', '=', calendarId)
    .where(sql<boolean>`coalesce(claimed_until < now(), true)`)
    .returning(['calendar_id', 'account_id', 'sealed_address', 'etag', 'last_modified', 'failures'])
    .executeTakeFirst()
type ClaimedSource = NonNullable<Awaited<ReturnType<typeof claim>>>

/**
 * Reads a calendar from its address, completely or not at all, and stores the outcome.
 * @returns false if it is being read already
 */
export async function fetchSource(platform: Platform, calendarId: string, { seconds = 20 } = {}) {
  const source = await claim(platform, calendarId)
  if (!source) return false
  const outcome = await readSource(platform, source, seconds).catch((error: unknown): Outcome => {
    if (error instanceof UnreadableFile) return { problem: error.because }
    if (error instanceof OutboundError) return { problem: problemOf(error) }
    platform.log.error({ err: error, calendar: calendarId }, 'a calendar could not be read')
    return { problem: 'failed' }
  })
  await writeOutcome(platform, source, outcome)
  return true
}

function problemOf({ because }: OutboundError): SubscriptionProblem {
  if (because === 'closed' || because === 'late' || because === 'large') return because
  return because === 'plain' ? 'insecure' : 'unreachable'
}

function writeOutcome({ db }: Platform, source: ClaimedSource, outcome: Outcome) {
  const { problem, detail = '', leftOut, etag, lastModified, waitSeconds = 0 } = outcome
  const failures = problem ? source.failures + 1 : 0
  const minutes = Math.min(defaultMinutes * 2 ** Math.min(failures, 10), maxMinutes)
  const nextInSeconds = Math.max(minutes * 60, Math.min(waitSeconds, 7 * 86_400))
  return db
    .updateTable('calendar_source')
    .set({
      claimed_until: null,
      fetched_at: sql`now()`,
      next_at: sql`now() + make_interval(secs => ${nextInSeconds})`,
      failures,
      problem,
      problem_detail: detail.slice(0, 100),
      ...(!problem && { succeeded_at: sql<string>`now()` }),
      ...(leftOut !== undefined && { left_out: leftOut }),
      ...(etag !== undefined && { etag: etag.slice(0, 500) }),
      ...(lastModified !== undefined && { last_modified: lastModified.slice(0, 500) }),
    })
    .where('calendar_id', '=', source.calendar_id)
    .execute()
}

/** Follows redirects one by one, because none may lead from https to http. */
async function requestWithRedirects(
  { env }: Platform,
  address: string,
  headers: Record<string, string>,
  seconds: number,
) {
  const deadline = Date.now() + seconds * 1000
  let current = address
  for (let hop = 0; ; hop++) {
    const answer = await fetchExternal(current, {
      allow: env.ATRIUM_OUTBOUND_ALLOW,
      redirects: 'answer',
      maxBytes,
      seconds: Math.max(1, (deadline - Date.now()) / 1000),
      headers,
    })
    const { location } = answer.headers
    if (![301, 302, 303, 307, 308].includes(answer.status) || !location) return answer
    if (hop >= maxRedirects || !URL.canParse(location, current))
      throw new OutboundError(`${current} redirects too often, or to an invalid address.`)
    const next = new URL(location, current)
    if (current.startsWith('https:') && next.protocol !== 'https:')
      throw new OutboundError(
        `${current} redirects to an address without encryption.`,
        undefined,
        'plain',
      )
    current = next.href
  }
}

async function readSource(
  platform: Platform,
  source: ClaimedSource,
  seconds: number,
): Promise<Outcome> {
  const address = platform.secret.decrypt(source.sealed_address)
  // Encrypted with a former secret: the member has to enter the address again.
  if (!address) return { problem: 'gone' }
  const answer = await requestWithRedirects(
    platform,
    address,
    {
      accept: 'text/calendar, */*;q=0.5',
      ...(source.etag && { 'if-none-match': source.etag }),
      ...(source.last_modified && { 'if-modified-since': source.last_modified }),
    },
    seconds,
  )
  if (answer.status === 304) return { problem: null }
  const header = (name: 'etag' | 'last-modified' | 'retry-after') =>
    String(answer.headers[name] ?? '')
  if (answer.status !== 200) {
    const waitSeconds = retryAfterSeconds(header('retry-after'))
    if (answer.status === 401 || answer.status === 403) return { problem: 'signIn', waitSeconds }
    if (answer.status === 404 || answer.status === 410) return { problem: 'gone', waitSeconds }
    return { problem: 'status', detail: String(answer.status), waitSeconds }
  }
  const leftOut = await oneAtATime(() => write(platform, source, textOf(answer.bytes)))
  await platform.topics.flushed()
  return {
    problem: null,
    leftOut,
    etag: header('etag'),
    lastModified: header('last-modified'),
  }
}

/** iCalendar is always UTF-8 (RFC 5545 3.1.4). */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableFile('notCalendar')
  }
}

/** @returns the number of events left out */
async function write(platform: Platform, source: ClaimedSource, text: string): Promise<number> {
  const { calendar_id: calendarId, account_id: accountId } = source
  const { timeZone } = await currentSettings(platform)
  const file = await readMemberFile(text, timeZone)
  await withOwnTransaction(platform.url, async ({ db, client }) => {
    // Unsubscribed concurrently: nothing to write.
    const calendar = await db
      .selectFrom('calendar')
      .select('id')
      .where('id', '=', calendarId)
      .forUpdate()
      .executeTakeFirst()
    if (!calendar) return
    const settings = { now: new Date(), batchSize: 10 }
    const written = await writeEvents({ db, client }, calendarId, file.events, settings)
    const missing = await findMissing(db, calendarId, file.entries)
    await deleteEvents(db, missing)
    if (written.added.length + written.changed.length + missing.length > 0)
      await announce(db, { kind: 'account', key: accountId })
  })
  return file.remarks.filter(({ leftOut }) => leftOut).length
}

/** Hosts read from in parallel. */
const hostsAtOnce = 4

/** Reads every due calendar: those of one host one after the other, a few hosts in parallel. */
export async function fetchDueSources(platform: Platform) {
  const due = await platform.db
    .selectFrom('calendar_source as source')
    .innerJoin('account', 'account.id', 'source.account_id')
    .select(['source.calendar_id', 'source.host'])
    .where('source.next_at', '<=', sql<string>`now()`)
    .where('account.status', '=', 'active')
    .orderBy('source.next_at')
    .limit(500)
    .execute()
  const byHost = [...Map.groupBy(due, ({ host }) => host).values()]
  const next = async () => {
    for (let sources = byHost.pop(); sources; sources = byHost.pop())
      for (const { calendar_id } of sources) await fetchSource(platform, calendar_id)
  }
  await Promise.all(Array.from({ length: hostsAtOnce }, next))
}
