import { sql } from 'kysely'
import { feedText, repairTruncatedFeed } from '#domains/content/news/feed-text.ts'
import { distinct, readFeed, writeArticles } from '#domains/content/news/import-feed.ts'
import { withCopiedPictures } from '#domains/content/news/import-pictures.ts'
import type { Db } from '#platform/database/db.ts'
import { StartError } from '#platform/environment.ts'
import type { Member } from '#platform/http/guard.ts'
import { type ImportReport, runImport } from '#platform/ingest/import.ts'
import { fetchExternal, OutboundError } from '#platform/outbound/outbound.ts'
import { retryAfterSeconds } from '#platform/outbound/retry-after.ts'
import type { Platform } from '#platform/platform.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { operatedBy } from './queries.ts'

/** Per fetch; older articles came with an earlier fetch, or are imported from the command line. */
const maxArticles = 500
/** Longer than fetching a feed and its pictures can take. */
const claimMinutes = 5

// ---- for operators ----

export type FeedFields = {
  address: string
  columnId: string
  intervalMinutes: number
  enabled: boolean
}

export const listFeeds = (db: Db, viewer: Member, id?: string) =>
  db
    .selectFrom('news_feed as feed')
    .innerJoin('news_column', 'news_column.id', 'feed.column_id')
    .leftJoin('organization', 'organization.id', 'news_column.organization_id')
    .select([
      'feed.id',
      'feed.revision',
      'feed.address',
      'feed.column_id as columnId',
      'news_column.name as columnName',
      'feed.interval_minutes as intervalMinutes',
      'feed.enabled',
      'feed.fetched_at as fetchedAt',
      'feed.message',
      'feed.added',
      'feed.changed',
      'feed.skipped',
    ])
    .select([
      sql<'imported' | 'unchanged' | 'partly' | 'failed' | null>`feed.result`.as('result'),
      sql<string | null>`case when feed.enabled then feed.next_at end`.as('nextAt'),
    ])
    .where(operatedBy(viewer))
    .$if(id !== undefined, (query) => query.where('feed.id', '=', id as string))
    .orderBy('news_column.position')
    .orderBy('feed.id')
    .limit(500)
    .execute()

const feedValues = ({ address, columnId, intervalMinutes, enabled }: FeedFields) => ({
  address: new URL(address).href,
  host: new URL(address).host,
  column_id: columnId,
  interval_minutes: intervalMinutes,
  enabled,
})

/** @returns the feed's id; undefined if its address is already in use */
export const insertFeed = async (db: Db, fields: FeedFields) =>
  (
    await db
      .insertInto('news_feed')
      .values(feedValues(fields))
      .onConflict((conflict) => conflict.column('address').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

/** @returns false if the feed has been changed since that revision */
export async function updateFeed(db: Db, id: string, revision: number, fields: FeedFields) {
  const changed = await db
    .updateTable('news_feed')
    .set({
      ...feedValues(fields),
      revision: sql`revision + 1`,
      // The address may have changed, so its validators and failures no longer apply.
      etag: '',
      last_modified: '',
      failures: 0,
      next_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

export const isTaken = async (db: Db, address: string, except: string) =>
  (await db
    .selectFrom('news_feed')
    .select('id')
    .where('address', '=', new URL(address).href)
    .where('id', '<>', except)
    .executeTakeFirst()) !== undefined

export const deleteFeed = (db: Db, id: string) =>
  db.deleteFrom('news_feed').where('id', '=', id).execute()

// ---- fetching ----

/** Claims a feed, unless one of the same host is already claimed. */
async function claim(platform: Platform, id: string) {
  return platform.db.transaction().execute(async (db) => {
    // Serialise: two concurrent claims would both see the host as free.
    await sql`select pg_advisory_xact_lock(7301, 41)`.execute(db)
    return db
      .updateTable('news_feed')
      .set({ claimed_until: sql`now() + ${claimMinutes} * interval '1 minute'` })
      .where('id', '=', id)
      .where(
        sql<boolean>`not exists (select from news_feed other where other.host = news_feed.host and other.claimed_until > now())`,
      )
      .returning([
        'id',
        'revision',
        'address',
        'interval_minutes',
        'etag',
        'last_modified',
        'failures',
      ])
      .executeTakeFirst()
  })
}
type Claimed = NonNullable<Awaited<ReturnType<typeof claim>>>

type Outcome = {
  result: 'imported' | 'unchanged' | 'partly' | 'failed'
  message?: string
  report?: ImportReport
  etag?: string
  lastModified?: string
  /** minimum wait before the next fetch, in seconds */
  waitSeconds?: number
  /** the failure is not the feed's: its pause does not grow */
  blameless?: true
}

/**
 * Imports one feed into its column, all or nothing, and stores the outcome.
 * @returns false if the feed or its host was already being fetched
 */
export async function fetchFeed(platform: Platform, id: string, { seconds = 20 } = {}) {
  const feed = await claim(platform, id)
  if (!feed) return false
  const outcome = await importFrom(platform, feed, seconds).catch((error: unknown): Outcome => {
    if (error instanceof StartError || error instanceof OutboundError)
      return { result: 'failed', message: error.message }
    platform.log.error({ err: error, feed: id }, 'a feed could not be read')
    return { result: 'failed', message: 'An unexpected error occurred; see the server log.' }
  })
  await writeOutcome(platform, feed, outcome)
  return true
}

/** The pause doubles with each failure, up to a day; a site's Retry-After is honoured up to a week. */
function nextSeconds({ interval_minutes, failures }: Claimed, outcome: Outcome) {
  const failing = outcome.result === 'failed' && !outcome.blameless
  const usual = interval_minutes * 60
  const pause = failing ? Math.max(usual, Math.min(usual * 2 ** (failures + 1), 86_400)) : usual
  return Math.max(pause, Math.min(outcome.waitSeconds ?? 0, 7 * 86_400))
}

async function writeOutcome({ db }: Platform, feed: Claimed, outcome: Outcome) {
  const stored = await db
    .updateTable('news_feed')
    .set({
      claimed_until: null,
      fetched_at: sql`now()`,
      next_at: sql`now() + ${nextSeconds(feed, outcome)} * interval '1 second'`,
      result: outcome.result,
      message: (outcome.message ?? '').slice(0, 500),
      failures: outcome.result === 'failed' && !outcome.blameless ? feed.failures + 1 : 0,
      added: outcome.report?.added ?? 0,
      changed: outcome.report?.changed ?? 0,
      skipped: outcome.report?.skipped ?? 0,
      ...(outcome.etag !== undefined && { etag: outcome.etag }),
      ...(outcome.lastModified !== undefined && { last_modified: outcome.lastModified }),
    })
    .where('id', '=', feed.id)
    // Changed concurrently: the feed stays due, and is fetched with its new address, column and interval.
    .where('revision', '=', feed.revision)
    .executeTakeFirst()
  if (stored.numUpdatedRows === 0n)
    await db
      .updateTable('news_feed')
      .set({ claimed_until: null })
      .where('id', '=', feed.id)
      .execute()
}

async function importFrom(platform: Platform, feed: Claimed, seconds: number): Promise<Outcome> {
  const { db, env, files, url } = platform
  const { address } = feed
  const allow = env.ATRIUM_OUTBOUND_ALLOW
  const answer = await fetchExternal(address, {
    allow,
    seconds,
    headers: {
      accept: 'application/rss+xml, application/atom+xml, application/xml, text/xml, */*;q=0.5',
      ...(feed.etag && { 'if-none-match': feed.etag }),
      ...(feed.last_modified && { 'if-modified-since': feed.last_modified }),
    },
  })
  if (answer.status === 304) return { result: 'unchanged' }
  const header = (name: 'etag' | 'last-modified' | 'retry-after' | 'content-type') =>
    String(answer.headers[name] ?? '')
  if (answer.status !== 200)
    return {
      result: 'failed',
      message: `${address} answered with the status ${answer.status} instead of a feed.`,
      waitSeconds: retryAfterSeconds(header('retry-after')),
    }
  const { timeZone } = await readSettings(db)
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(header('content-type'))?.[1]
  const xml = feedText(answer.bytes, charset, address)
  const whole = repairTruncatedFeed(xml)
  if (whole === '')
    throw new StartError(`${address} is cut off within its first article. Nothing was imported.`)
  const read = await readFeed(whole ?? xml, { from: address, timeZone })
  const issues: string[] = []
  if (whole !== undefined) issues.push('The feed is cut off; its complete articles were imported.')
  if (read.items.length > maxArticles)
    issues.push(
      `The feed has ${read.items.length} articles; the first ${maxArticles} were imported.`,
    )
  const good = distinct(read.items.slice(0, maxArticles), (row, sentence) =>
    issues.push(`Article ${row} ${sentence}.`),
  )
  const { articles, leftOut, later } = await withCopiedPictures({ db, files, allow }, good)
  const column = await findFeedColumn(db, feed)
  // An import would leave the articles in the former column. `writeOutcome` discards this outcome.
  if (!column) return { result: 'unchanged' }
  let report: ImportReport
  try {
    report = await runImport(url, {}, (run) => {
      run.read({ rows: articles.length, share: 1 })
      const source = ownSource(read.source, address)
      return writeArticles(run, { source, articles }, { ...column, rules: [] })
    })
  } catch (error) {
    if (error instanceof StartError)
      return { result: 'failed', message: error.message, blameless: true }
    throw error
  }
  issues.push(...report.notes)
  const counted = { ...report, skipped: read.items.length - good.length }
  if (leftOut > 0) issues.push(`Pictures left out: ${leftOut}.`)
  const validators =
    later > 0 || whole !== undefined ? ['', ''] : [header('etag'), header('last-modified')]
  const [etag = '', lastModified = ''] = validators.map((text) => text.slice(0, 500))
  const partly = whole !== undefined || counted.skipped > 0
  const unchanged = report.added + report.changed === 0
  return {
    result: partly ? 'partly' : unchanged ? 'unchanged' : 'imported',
    message: issues.join(' '),
    report: counted,
    etag,
    lastModified,
  }
}

/** The column of a claimed feed; undefined if the feed was changed or deleted since. */
const findFeedColumn = (db: Db, { id, revision }: Claimed) =>
  db
    .selectFrom('news_feed')
    .innerJoin('news_column', 'news_column.id', 'news_feed.column_id')
    .leftJoin('organization', 'organization.id', 'news_column.organization_id')
    .select(['news_column.code as column', 'organization.code as department'])
    .where('news_feed.id', '=', id)
    .where('news_feed.revision', '=', revision)
    .executeTakeFirst()

/** A feed may name its site only on its own host: otherwise its articles could replace those of another site. */
const ownSource = (source: string, address: string) =>
  new URL(source).hostname === new URL(address).hostname ? source : address

/** Number of hosts fetched concurrently. */
const hostsAtOnce = 4

/** Fetches all due feeds: sequentially per host, several hosts concurrently. */
export async function fetchDueFeeds(platform: Platform) {
  const due = await platform.db
    .selectFrom('news_feed')
    .select(['id', 'host'])
    .where('enabled', '=', sql.lit(true))
    .where('next_at', '<=', sql<string>`now()`)
    .orderBy('next_at')
    .limit(200)
    .execute()
  const byHost = [...Map.groupBy(due, ({ host }) => host).values()]
  const next = async () => {
    for (let feeds = byHost.pop(); feeds; feeds = byHost.pop())
      for (const { id } of feeds) await fetchFeed(platform, id)
  }
  await Promise.all(Array.from({ length: hostsAtOnce }, next))
}
