import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { defineState } from '#platform/area-state.ts'
import type { Database, Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'

/** Interval in ms between writes of collected readings. */
const flushEvery = 5000
/** Maximum readings in memory; beyond it they are not counted. */
const maxWaiting = 50_000

type Reading = { day: string; articleId: string; reader: string }
const keyOf = ({ day, articleId, reader }: Reading) => `${day} ${articleId} ${reader}`
type Counter = {
  waiting: Map<string, Reading>
  salt: { day: string; bytes: Buffer } | undefined
  timer: NodeJS.Timeout | undefined
}
const counterOf = defineState<Counter>(
  () => ({ waiting: new Map(), salt: undefined, timer: undefined }),
  (_counter, platform) => writeReadings(platform),
)

/**
 * Records that somebody opened an article: each member, and each visitor by address and browser, counts once a day. The
 * reader is stored as a digest with a random salt that is deleted after the day.
 */
export async function recordReading(
  platform: Platform,
  viewer: Viewer,
  articleId: string,
  { ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>,
) {
  const { timeZone } = await currentSettings(platform)
  const day = Temporal.Now.plainDateISO(timeZone).toString()
  const counter = counterOf(platform)
  if (counter.salt?.day !== day) counter.salt = { day, bytes: await saltOf(platform.db, day) }
  const who = viewer.signedIn
    ? `member ${viewer.accountId}`
    : `visitor ${ip} ${(headers['user-agent'] ?? '').slice(0, 300)}`
  const reader = createHmac('sha256', counter.salt.bytes).update(who).digest('hex').slice(0, 24)
  if (counter.waiting.size >= maxWaiting) return
  const reading = { day, articleId, reader }
  counter.waiting.set(keyOf(reading), reading)
  counter.timer ??= setTimeout(() => {
    counter.timer = undefined
    writeReadings(platform).catch((error) =>
      platform.log.warn({ err: error }, 'reads of news could not be counted'),
    )
  }, flushEvery).unref()
}

async function saltOf(db: Db, day: string): Promise<Buffer> {
  const { rows } = await sql<{ salt: Buffer }>`
    with made as (
      insert into article_read_salt (day, salt) values (${day}::date, ${randomBytes(32)}::bytea)
      on conflict do nothing returning salt
    )
    select salt from made union all select salt from article_read_salt where day = ${day}::date limit 1`.execute(
    db,
  )
  // Empty: another node inserted it concurrently.
  return rows[0]?.salt ?? saltOf(db, day)
}

/** Counts the readings recorded since the last write, in one statement. Those of a failed write are kept. */
export async function writeReadings(platform: Platform) {
  const { waiting } = counterOf(platform)
  const readings = [...waiting.values()]
  waiting.clear()
  if (readings.length === 0) return
  try {
    await insertReadings(platform.db, readings)
  } catch (error) {
    // Written with the next ones, as far as there is room.
    for (const reading of readings) {
      if (waiting.size >= maxWaiting) break
      waiting.set(keyOf(reading), reading)
    }
    throw error
  }
}

const insertReadings = (db: Database, readings: readonly Reading[]) =>
  db.transaction().execute(async (db) => {
    // One node at a time: two nodes updating the same articles in different orders would deadlock.
    await sql`select pg_advisory_xact_lock(hashtext('news readings'))`.execute(db)
    await sql`
      with fresh as (
        insert into article_reader (day, article_id, reader)
        select given.day, given.article_id, decode(given.reader, 'hex')
        from unnest(${readings.map(({ day }) => day)}::date[], ${readings.map(({ articleId }) => articleId)}::bigint[],
                    ${readings.map(({ reader }) => reader)}::text[]) as given (day, article_id, reader)
        join article on article.id = given.article_id
        on conflict do nothing
        returning day, article_id
      ), counted as (
        select day, article_id, count(*)::integer as reads from fresh group by day, article_id
      ), days as (
        insert into article_read_day as known (day, article_id, reads) select day, article_id, reads from counted
        on conflict (day, article_id) do update set reads = known.reads + excluded.reads
      )
      update article set read_count = read_count + total.reads
      from (select article_id, sum(reads)::integer as reads from counted group by article_id) total
      where article.id = total.article_id`.execute(db)
  })

const popularDays = 7
const maxPopular = 1000
/** Number of top entries that are visible; changes of order below do not invalidate caches. */
const maxShown = 100

/** Recounts the most read articles. Cached answers are invalidated only if the visible order changes. */
export const updatePopular = (db: Database) => db.transaction().execute(writePopular)

/** The same within a transaction. */
export async function writePopular(db: Db) {
  const before = await listMostRead(db)
  await sql`delete from article_popular`.execute(db)
  await sql`
      insert into article_popular (article_id, reads)
      select article_id, sum(reads)::integer from article_read_day
      where day > current_date - ${popularDays}::integer
      group by article_id order by 2 desc, article_id desc limit ${maxPopular}`.execute(db)
  if (`${await listMostRead(db)}` !== `${before}`) await invalidate(db, 'news')
}

const listMostRead = async (db: Db) => {
  const rows = await db
    .selectFrom('article_popular')
    .select('article_id')
    .orderBy('reads', 'desc')
    .orderBy('article_id', 'desc')
    .limit(maxShown)
    .execute()
  return rows.map((row) => row.article_id)
}

/** Deletes readers and salts of past days, and daily counts that no list needs any more. */
export async function deleteOldReaders(db: Db) {
  await sql`delete from article_reader where day < current_date - 1`.execute(db)
  await sql`delete from article_read_salt where day < current_date - 1`.execute(db)
  await sql`delete from article_read_day where day < current_date - 60`.execute(db)
}
