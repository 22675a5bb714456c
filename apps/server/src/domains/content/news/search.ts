import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db, Pool } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import type { Viewer } from '#platform/http/guard.ts'
import { cursorFrom, cursorShapes, readCursor } from '#platform/http/paging.ts'
import { type ArticleTexts, articleVector, type SearchQuery } from './search-words.ts'

/** Number of newest hits ranked by relevance; ranking all hits of a common word would take a third of a second. */
const maxRanked = 300
/**
 * Numbers of newest articles scanned for a common word: first a sample, then more if the sample promises enough hits.
 */
const scanDepths = [100, 1000, 4000]
/** Length in days of a period in the word index; see the migration 0050. */
const periodDays = 30
/** Number of periods queried first, and in total; older articles are queried in one statement. */
const periodCounts = { first: 3, total: 53 }
/**
 * Cached strategy for a search: the scan depth that found enough hits (infinite: none did) and the number of periods.
 * Many members search for the same words, and one statement then replaces four.
 */
type Strategy = { depth: number; periods: number }
const strategies = new LRUCache<string, Strategy>({ max: 5000, ttl: 600_000 })
const initialStrategy: Strategy = { depth: 0, periods: periodCounts.first }

type Filter = {
  columnId?: string | undefined
  department?: string | undefined
  /** first and last day in the institution's zone, as instants; `until` is exclusive */
  from?: string | undefined
  until?: string | undefined
  order: 'relevance' | 'newest'
  /** by relevance: number of newest hits that are ranked */
  ranked?: number
  cursor?: string | undefined
  pageSize: number
}
type Hit = { id: string; exact: string; rank: number }

/**
 * Keys of one page of articles with these words. By relevance, the newest three hundred are ranked and older ones
 * follow by date. The cursor contains the newest article at the time, so new articles do not shift the pages.
 */
export async function findArticles(
  pool: Pool,
  viewer: Pick<Viewer, 'audiences'>,
  { query }: SearchQuery,
  filter: Filter,
): Promise<{ ids: string[]; nextCursor: string | null }> {
  const shape = [/^(ranked|newest)$/, cursorShapes.time, cursorShapes.id, /^\d{1,3}$/]
  const [kind, time, id, from = '0'] = readCursor(filter.cursor, shape) ?? []
  const byRank = filter.order === 'relevance' && kind !== 'newest'
  const { pageSize, ranked = maxRanked } = filter
  const limit = byRank ? ranked : pageSize + 1
  const cursorBound = time ? { time, id, inclusive: byRank } : undefined
  const rows = await findNewestHits(pool, viewer, query, { ...filter, cursorBound, byRank }, limit)
  if (!byRank) {
    const shown = rows.slice(0, pageSize)
    const last = shown.at(-1)
    return {
      ids: shown.map((row) => row.id),
      nextCursor:
        rows.length > pageSize && last ? cursorFrom(['newest', last.exact, last.id, 0]) : null,
    }
  }
  const offset = Number(from)
  // The sort is stable: equal ranks stay newest first.
  const shown = rows.toSorted((a, b) => b.rank - a.rank).slice(offset, offset + pageSize)
  const newest = rows[0]
  const oldest = rows.at(-1)
  const more = offset + pageSize < rows.length
  return {
    ids: shown.map((row) => row.id),
    nextCursor:
      more && newest
        ? cursorFrom(['ranked', newest.exact, newest.id, offset + pageSize])
        : rows.length === ranked && oldest
          ? cursorFrom(['newest', oldest.exact, oldest.id, 0])
          : null,
  }
}

type Bounds = Omit<Filter, 'order' | 'ranked' | 'cursor' | 'pageSize'> & {
  cursorBound: { time: string; id: string | undefined; inclusive: boolean } | undefined
  byRank: boolean
}

/**
 * The newest articles with these words, newest first. Common words are found by scanning the newest articles; for
 * others the index is queried by period, first the last months, then earlier years, so that little more is read than
 * requested. The result does not depend on the strategy.
 */
async function findNewestHits(
  pool: Pool,
  { audiences }: Pick<Viewer, 'audiences'>,
  query: string,
  { columnId, department, from, until, cursorBound, byRank }: Bounds,
  limit: number,
): Promise<Hit[]> {
  const params: unknown[] = [query, audiences]
  const addParam = (value: unknown) => `$${params.push(value)}`
  const timeConditions = [
    `a.status = 'published' and a.published_at <= now()`,
    from && `a.published_at >= ${addParam(from)}::timestamptz`,
    until && `a.published_at < ${addParam(until)}::timestamptz`,
    cursorBound &&
      `(a.published_at, a.id) ${cursorBound.inclusive ? '<=' : '<'} (${addParam(cursorBound.time)}::timestamptz, ${addParam(cursorBound.id)}::bigint)`,
  ].filter(Boolean)
  const matchConditions = [
    'a.search @@ $1::tsquery',
    'a.column_id = any(array(select c.id from news_column c where c.audience_id = any($2::integer[])))',
    columnId && `a.column_id = ${addParam(columnId)}::bigint`,
    department && `(a.department = ${addParam(department)} or a.department_en = $${params.length})`,
  ].filter(Boolean)
  const limitParam = addParam(limit)
  const statement = (article: string, conditions: readonly unknown[]) => `
    with hits as materialized (
      select a.id, a.published_at, ${byRank ? 'a.search' : 'null::tsvector as search'} from ${article} a
      where ${conditions.join(' and ')}
      order by a.published_at desc, a.id desc limit ${limitParam}::integer
    )
    select h.id, to_char(h.published_at, 'YYYY-MM-DD"T"HH24:MI:SS.USZ') as exact,
      ${byRank ? 'ts_rank(h.search, $1::tsquery)' : '0'} as rank
    from hits h order by h.published_at desc, h.id desc`
  const find = async (text: string, limit: number, more: unknown[] = []) =>
    (await pool.query<Hit>(text, [...params.with(-1, limit), ...more])).rows

  const scanNewest = (depth: number) =>
    find(
      statement(
        `(select a.* from article a where ${timeConditions.join(' and ')}
          order by a.published_at desc, a.id desc limit ${depth})`,
        matchConditions,
      ),
      limit,
    )
  const strategyKey = JSON.stringify([
    query,
    columnId,
    department,
    from,
    until,
    cursorBound?.time,
    limit,
  ])
  const strategy = strategies.get(strategyKey) ?? initialStrategy
  for (const depth of scanDepths.filter((depth) => depth >= strategy.depth)) {
    const common = await scanNewest(depth)
    if (common.length === limit) {
      strategies.set(strategyKey, { ...strategy, depth })
      return common
    }
    const expectedHits = (common.length * maxScanDepth) / depth
    if (expectedHits < limit) break
  }

  const start = Math.min(
    Date.now(),
    ...[cursorBound?.time, until].flatMap((at) => (at ? Date.parse(at) : [])),
  )
  const end = from ? Date.parse(from) : Number.NEGATIVE_INFINITY
  // One period ahead, in case the database's clock is ahead.
  const newest = Math.floor(start / periodMs) + 1
  let period = newest
  const hits: Hit[] = []
  const next = `$${params.length + 1}`
  const withinPeriods = statement('article', [
    ...timeConditions,
    ...matchConditions,
    `article_stretch(a.published_at) && ${next}::integer[]`,
  ])
  for (let width = strategy.periods; ; ) {
    const periods = Array.from({ length: width }, (_, back) => period - back)
    hits.push(...(await find(withinPeriods, limit - hits.length, [periods])))
    period -= width
    strategies.set(strategyKey, { depth: Number.POSITIVE_INFINITY, periods: newest - period })
    if (hits.length === limit || (period + 1) * periodMs <= end) return hits
    const left = periodCounts.total - (newest - period)
    if (left <= 0) break
    // Enough periods for the missing hits, assuming older ones contain as many.
    const hitsPerPeriod = hits.length / (newest - period)
    width = Math.min(left, Math.ceil((1.5 * (limit - hits.length)) / hitsPerPeriod))
  }
  const before = `a.published_at < ${next}::timestamptz`
  const oldestBound = new Date((period + 1) * periodMs).toISOString()
  // Not a named statement: a generic plan would be bad for both rare and common words.
  const { rows } = await pool.query<Hit>({
    text: statement('article', [...timeConditions, ...matchConditions, before]),
    values: [...params.with(-1, limit - hits.length), oldestBound],
  })
  return [...hits, ...rows]
}
const periodMs = periodDays * 86_400_000
const maxScanDepth = Math.max(...scanDepths)

// ---- search words of articles ----

/**
 * Stores the search words of these articles. Called on every change of an article, in the same transaction; a job
 * handles articles without words every minute.
 */
export async function writeArticleWords(db: Db, ids: readonly string[]) {
  const { rows } = await sql<ArticleTexts & { id: string }>`
    select id, title, title_en, summary, body, body_en from article
    where id = any(${ids as string[]}::bigint[]) order by id for update`.execute(db)
  await writeWords(db, rows)
}

async function writeWords(db: Db, rows: readonly (ArticleTexts & { id: string })[]) {
  const vectors: string[] = []
  for (const row of rows) vectors.push(await articleVector(row))
  await sql`
    update article set search = input.vector::tsvector
    from unnest(${rows.map((row) => row.id)}::bigint[], ${vectors}::text[]) as input (id, vector)
    where article.id = input.id`.execute(db)
}

const batch = 200

/** Adds search words to articles without them, in batches. @returns how many there were */
export async function writeMissingWords(db: Db): Promise<number> {
  let written = 0
  for (;;) {
    const count = await db.transaction().execute(async (db) => {
      const { rows } = await sql<ArticleTexts & { id: string }>`
        select id, title, title_en, summary, body, body_en from article
        where search is null order by id limit ${batch} for update skip locked`.execute(db)
      if (rows.length > 0) await writeWords(db, rows)
      return rows.length
    })
    written += count
    if (count < batch) break
  }
  if (written > 0) await invalidate(db, 'news')
  return written
}
