import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db, Pool } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import type { Viewer } from '#platform/http/guard.ts'
import { cursorFrom, cursorShapes, readCursor } from '#platform/http/paging.ts'
import { articleVector, type Texts, type Wanted } from './search-words.ts'

/** Number of newest hits ranked by relevance; ranking all hits of a common word would take a third of a second. */
const maxRanked = 300
/**
 * Numbers of newest articles scanned for a common word: first a sample, then more if the sample promises enough hits.
 */
const depths = [100, 1000, 4000]
/** Length in days of a period in the word index; see the migration 0050. */
const stretchDays = 30
/** Number of periods queried first, and in total; older articles are queried in one statement. */
const stretches = { first: 3, inAll: 53 }
/**
 * Cached strategy for a search: the scan depth that found enough hits (infinite: none did) and the number of periods.
 * Many members search for the same words, and one statement then replaces four.
 */
type Way = { depth: number; stretches: number }
const ways = new LRUCache<string, Way>({ max: 5000, ttl: 600_000 })
const firstWay: Way = { depth: 0, stretches: stretches.first }

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
  { query }: Wanted,
  filter: Filter,
): Promise<{ ids: string[]; nextCursor: string | null }> {
  const shape = [/^(ranked|newest)$/, cursorShapes.time, cursorShapes.id, /^\d{1,3}$/]
  const [kind, time, id, from = '0'] = readCursor(filter.cursor, shape) ?? []
  const byRank = filter.order === 'relevance' && kind !== 'newest'
  const { pageSize, ranked = maxRanked } = filter
  const limit = byRank ? ranked : pageSize + 1
  const below = time ? { time, id, itself: byRank } : undefined
  const rows = await newestHits(pool, viewer, query, { ...filter, below, byRank }, limit)
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
  below: { time: string; id: string | undefined; itself: boolean } | undefined
  byRank: boolean
}

/**
 * The newest articles with these words, newest first. Common words are found by scanning the newest articles; for
 * others the index is queried by period, first the last months, then earlier years, so that little more is read than
 * requested. The result does not depend on the strategy.
 */
async function newestHits(
  pool: Pool,
  { audiences }: Pick<Viewer, 'audiences'>,
  query: string,
  { columnId, department, from, until, below, byRank }: Bounds,
  limit: number,
): Promise<Hit[]> {
  const given: unknown[] = [query, audiences]
  const value = (one: unknown) => `$${given.push(one)}`
  const times = [
    `a.status = 'published' and a.published_at <= now()`,
    from && `a.published_at >= ${value(from)}::timestamptz`,
    until && `a.published_at < ${value(until)}::timestamptz`,
    below &&
      `(a.published_at, a.id) ${below.itself ? '<=' : '<'} (${value(below.time)}::timestamptz, ${value(below.id)}::bigint)`,
  ].filter(Boolean)
  const fits = [
    'a.search @@ $1::tsquery',
    'a.column_id = any(array(select c.id from news_column c where c.audience_id = any($2::integer[])))',
    columnId && `a.column_id = ${value(columnId)}::bigint`,
    department && `(a.department = ${value(department)} or a.department_en = $${given.length})`,
  ].filter(Boolean)
  const maxAt = value(limit)
  const statement = (article: string, conditions: readonly unknown[]) => `
    with hits as materialized (
      select a.id, a.published_at, ${byRank ? 'a.search' : 'null::tsvector as search'} from ${article} a
      where ${conditions.join(' and ')}
      order by a.published_at desc, a.id desc limit ${maxAt}::integer
    )
    select h.id, to_char(h.published_at, 'YYYY-MM-DD"T"HH24:MI:SS.USZ') as exact,
      ${byRank ? 'ts_rank(h.search, $1::tsquery)' : '0'} as rank
    from hits h order by h.published_at desc, h.id desc`
  const find = async (text: string, limit: number, more: unknown[] = []) =>
    (await pool.query<Hit>(text, [...given.with(-1, limit), ...more])).rows

  const lookThroughNewest = (depth: number) =>
    find(
      statement(
        `(select a.* from article a where ${times.join(' and ')}
          order by a.published_at desc, a.id desc limit ${depth})`,
        fits,
      ),
      limit,
    )
  const way = JSON.stringify([query, columnId, department, from, until, below?.time, limit])
  const last = ways.get(way) ?? firstWay
  for (const depth of depths.filter((depth) => depth >= last.depth)) {
    const common = await lookThroughNewest(depth)
    if (common.length === limit) {
      ways.set(way, { ...last, depth })
      return common
    }
    const promised = (common.length * maxDepth) / depth
    if (promised < limit) break
  }

  const start = Math.min(
    Date.now(),
    ...[below?.time, until].flatMap((at) => (at ? Date.parse(at) : [])),
  )
  const end = from ? Date.parse(from) : Number.NEGATIVE_INFINITY
  // One period ahead, in case the database's clock is ahead.
  const newest = Math.floor(start / stretchLength) + 1
  let stretch = newest
  const hits: Hit[] = []
  const next = `$${given.length + 1}`
  const withinStretches = statement('article', [
    ...times,
    ...fits,
    `article_stretch(a.published_at) && ${next}::integer[]`,
  ])
  for (let width = last.stretches; ; ) {
    const asked = Array.from({ length: width }, (_, back) => stretch - back)
    hits.push(...(await find(withinStretches, limit - hits.length, [asked])))
    stretch -= width
    ways.set(way, { depth: Number.POSITIVE_INFINITY, stretches: newest - stretch })
    if (hits.length === limit || (stretch + 1) * stretchLength <= end) return hits
    const left = stretches.inAll - (newest - stretch)
    if (left <= 0) break
    // Enough periods for the missing hits, assuming older ones contain as many.
    const each = hits.length / (newest - stretch)
    width = Math.min(left, Math.ceil((1.5 * (limit - hits.length)) / each))
  }
  const before = `a.published_at < ${next}::timestamptz`
  const edge = new Date((stretch + 1) * stretchLength).toISOString()
  // Not a named statement: a generic plan would be bad for both rare and common words.
  const { rows } = await pool.query<Hit>({
    text: statement('article', [...times, ...fits, before]),
    values: [...given.with(-1, limit - hits.length), edge],
  })
  return [...hits, ...rows]
}
const stretchLength = stretchDays * 86_400_000
const maxDepth = Math.max(...depths)

// ---- search words of articles ----

/**
 * Stores the search words of these articles. Called by whoever writes an article, in the same transaction; a job
 * handles articles without words every minute.
 */
export async function writeArticleWords(db: Db, ids: readonly string[]) {
  const { rows } = await sql<Texts & { id: string }>`
    select id, title, title_en, summary, body, body_en from article
    where id = any(${ids as string[]}::bigint[]) order by id for update`.execute(db)
  await writeWords(db, rows)
}

async function writeWords(db: Db, rows: readonly (Texts & { id: string })[]) {
  const vectors: string[] = []
  for (const row of rows) vectors.push(await articleVector(row))
  await sql`
    update article set search = given.vector::tsvector
    from unnest(${rows.map((row) => row.id)}::bigint[], ${vectors}::text[]) as given (id, vector)
    where article.id = given.id`.execute(db)
}

const batch = 200

/** Adds search words to articles without them, in batches. @returns how many there were */
export async function writeMissingWords(db: Db): Promise<number> {
  let written = 0
  for (;;) {
    const count = await db.transaction().execute(async (db) => {
      const { rows } = await sql<Texts & { id: string }>`
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
