import { SourceTask } from '@atrium/contract/work/task-integration'
import { sql } from 'kysely'
import Value from 'typebox/value'
import type { Db } from '#platform/database/db.ts'
import { callWebhook } from '#platform/outbound/webhook.ts'
import type { Platform } from '#platform/platform.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { listByConnector } from './connector-tasks.ts'
import { openConnector } from './connectors.ts'
import { endMissing, hasMissing, putTasks } from './put-tasks.ts'
import { isDue, listDueSources, listMinutes, type Source, sourceColumns } from './sources.ts'

type Surroundings = Pick<Platform, 'db' | 'env' | 'secret'> & {
  log: { warn: (details: object, words: string) => void }
}

const tasksPerPut = 500
/** Sources that are compared at the same time on a node: a slow one holds no other up. */
const sourcesAtOnce = 4
/** Longer than reading and putting in takes at most. A node that dies meanwhile leaves the source to another. */
const claimMinutes = 20
/** After failures a list is read at least this often, or as often as usual. */
const maxPauseMinutes = 60
/** A list beyond this many pages is taken for one that never ends. */
const maxPages = 1000
const maxPageBytes = 16_000_000
const maxSeconds = 600

export async function compareDueSources(platform: Platform) {
  const due = await listDueSources(platform.db)
  const next = async () => {
    for (let source = due.shift(); source; source = due.shift())
      await compareSource(platform, source, { onlyDue: true })
  }
  await Promise.all(Array.from({ length: sourcesAtOnce }, next))
}

/** Takes a source in hand, unless another node has. */
const claim = (db: Db, { id }: Pick<Source, 'id'>, onlyDue: boolean) =>
  db
    .updateTable('task_source')
    .set({ compare_claimed_until: sql<string>`now() + make_interval(mins => ${claimMinutes})` })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(compare_claimed_until < now(), true)`)
    .$if(onlyDue, (query) => query.where(isDue))
    .returning([
      ...sourceColumns,
      'compare_failures as failures',
      sql<boolean>`coalesce((compared->>'listed')::integer = 0, false)`.as('wasEmpty'),
      sql<string>`clock_timestamp()::text`.as('began'),
      // At least every hour it is read in whole: what differs here is not always due to a change there.
      sql<string | null>`case when list_read_at > now() - interval '1 hour' then list_etag end`.as(
        'etag',
      ),
    ])
    .executeTakeFirst()
type Claimed = NonNullable<Awaited<ReturnType<typeof claim>>>

/**
 * Reads the open tasks of a source and mends ours: what is missing here is put in, what differs is changed, what is open
 * here alone is ended. A list that breaks off changes nothing but what it had told so far, and ends nothing.
 * @returns whether it was free to be compared
 */
export async function compareSource(
  platform: Surroundings,
  { id }: Pick<Source, 'id'>,
  { onlyDue = false } = {},
): Promise<boolean> {
  const { db, log } = platform
  const source = await claim(db, { id }, onlyDue)
  if (!source) return false
  let minutes = listMinutes
  try {
    const connector = source.connector === null ? undefined : openConnector(platform, source)
    minutes = connector?.description.everyMinutes ?? listMinutes
    await (connector ? poll(platform, source, connector) : compare(platform, source))
    await release(db, source, minutes)
  } catch (error) {
    const issue = (error as Error).message.slice(0, 300)
    log.warn({ source: source.code }, `the list of a source of tasks was not read: ${issue}`)
    const failures = source.failures + 1
    const pause = Math.min(
      minutes * 2 ** Math.min(failures, 20),
      Math.max(minutes, maxPauseMinutes),
    )
    await release(db, source, pause, { compare_error: issue, compare_failures: failures })
  }
  return true
}

/** A list in the form of the integration API. */
async function compare(platform: Surroundings, source: Claimed) {
  const { db } = platform
  const counts = { listed: 0, created: 0, changed: 0, ended: 0, unread: 0 }
  const listed: string[] = []
  for await (const page of pagesOf(platform, source)) {
    await put(db, source, page, counts, false)
    listed.push(...page.map(({ key }) => key))
  }
  counts.listed = listed.length
  const isDoubtful = await isSuddenlyEmpty(db, source, listed)
  if (!isDoubtful)
    counts.ended = await db
      .transaction()
      .execute((db) => endMissing(db, source, listed, source.began))
  await writeComparison(db, source, counts, isDoubtful ? emptyRemark : '')
}

const emptyRemark = 'the list is empty; nothing was ended, unless it is empty the next time as well'

/** A system that lost its data, or our rights there, lists nothing either: that everything is over has to be said twice. */
const isSuddenlyEmpty = async (db: Db, source: Claimed, keys: readonly string[]) =>
  keys.length === 0 && !source.wasEmpty && (await hasMissing(db, source, keys, source.began))

/** A list as a description reads it: to its end before anything is put in. */
async function poll(
  { db, env }: Surroundings,
  source: Claimed,
  { description, secret }: ReturnType<typeof openConnector>,
) {
  const { timeZone } = await readSettings(db)
  const read = (etag?: string) =>
    listByConnector(description, secret, { allow: env.ATRIUM_OUTBOUND_ALLOW, timeZone, etag })
  const list = await read(source.etag ?? undefined)
  if (!list) {
    await writeComparison(db, source, undefined, '')
    return
  }
  const counts = { listed: list.keys.length, created: 0, changed: 0, ended: 0, unread: list.unread }
  const isClean = await put(db, source, list.tasks, counts, true)
  let { keys, mayEnd, remark } = list
  if (mayEnd && (await isSuddenlyEmpty(db, source, keys))) {
    mayEnd = false
    remark = emptyRemark
  }
  // What moves from a page that is still to come to one that was read is in neither.
  if (mayEnd && list.isPaged && (await hasMissing(db, source, keys, source.began))) {
    const again = await read()
    mayEnd = again?.mayEnd === true
    keys = [...keys, ...(again?.keys ?? [])]
  }
  if (mayEnd)
    counts.ended = await db
      .transaction()
      .execute((db) => endMissing(db, source, keys, source.began, description.gone))
  await writeComparison(db, source, counts, remark)
  await db
    .updateTable('task_source')
    .set({
      list_etag: isClean && !remark ? (list.etag?.slice(0, 500) ?? null) : null,
      list_read_at: source.began,
    })
    .where('id', '=', source.id)
    .where(isAsClaimed(source))
    .execute()
}

/** Nobody has described the source anew meanwhile. */
const isAsClaimed = ({ connector }: Claimed) =>
  sql<boolean>`connector is not distinct from ${connector === null ? null : JSON.stringify(connector)}::jsonb`

type Counts = { listed: number; created: number; changed: number; ended: number; unread: number }

/** @returns whether everything is here now as it is listed */
async function put(
  db: Db,
  source: Claimed,
  tasks: SourceTask[],
  counts: Counts,
  keepsDone: boolean,
) {
  let isClean = true
  for (let start = 0; start < tasks.length; start += tasksPerPut) {
    const some = tasks.slice(start, start + tasksPerPut)
    const results = await db
      .transaction()
      .execute((db) => putTasks(db, source, some, { asOf: source.began, keepsDone }))
    for (const { result, unknown } of results) {
      if (result === 'created' || result === 'changed') counts[result]++
      if (result === 'refused') counts.unread++
      isClean &&= unknown.length === 0 && result !== 'refused' && result !== 'stale'
    }
  }
  return isClean
}

/** @param counts nothing: the list is as it was */
const writeComparison = (db: Db, { id }: Claimed, counts: Counts | undefined, remark: string) =>
  db
    .updateTable('task_source')
    .set({
      ...(counts && {
        compared: JSON.stringify(counts),
        mended: sql<string>`mended + ${counts.created + counts.changed + counts.ended}`,
      }),
      compared_at: sql<string>`now()`,
      compare_error: remark.slice(0, 300),
      compare_failures: 0,
    })
    .where('id', '=', id)
    .execute()

/** @param pause minutes until it is compared again, from when this began: the job looks every minute, and must find it due */
const release = (db: Db, source: Claimed, pause: number, columns: object = {}) =>
  db
    .updateTable('task_source')
    .set({
      ...columns,
      compare_claimed_until: null,
      compare_due_at: sql<string>`case when ${isAsClaimed(source)}
        then ${source.began}::timestamptz + make_interval(mins => ${pause}, secs => -30) else now() end`,
    })
    .where('id', '=', source.id)
    .execute()

/** @throws Error with what is wrong with the list */
async function* pagesOf(platform: Surroundings, source: Source): AsyncGenerator<SourceTask[]> {
  const { env, secret } = platform
  const key = source.sealedSecret ? secret.decrypt(source.sealedSecret) : undefined
  const until = Date.now() + maxSeconds * 1000
  let next: string | undefined
  for (let page = 0; page < maxPages; page++) {
    if (Date.now() > until) throw new Error(`the list takes longer than ${maxSeconds / 60} minutes`)
    const address = new URL(source.listUrl)
    if (next !== undefined) address.searchParams.set('cursor', next)
    const { status, bytes } = await callWebhook(address.href, {
      id: `${source.code}-list-${Date.now()}-${page}`,
      key,
      allow: env.ATRIUM_OUTBOUND_ALLOW,
      maxBytes: maxPageBytes,
    })
    if (status !== 200) throw new Error(`the list answers with status ${status}`)
    const { tasks, nextCursor } = parse(bytes.toString())
    yield tasks.map((task, place) => readTask(task, place))
    if (nextCursor === undefined || nextCursor === null || nextCursor === '') return
    next = String(nextCursor)
  }
  throw new Error(`the list has more than ${maxPages} pages`)
}

function parse(body: string): { tasks: unknown[]; nextCursor?: unknown } {
  let answer: unknown
  try {
    answer = JSON.parse(body)
  } catch {
    throw new Error('the list is not JSON')
  }
  const { tasks, nextCursor } = (answer ?? {}) as { tasks?: unknown; nextCursor?: unknown }
  if (!Array.isArray(tasks)) throw new Error('the list holds no tasks')
  return { tasks, nextCursor }
}

function readTask(given: unknown, place: number): SourceTask {
  const task = Value.Default(SourceTask, given)
  if (Value.Check(SourceTask, task)) return task
  const [issue] = Value.Errors(SourceTask, task)
  throw new Error(
    `task ${place + 1} of a page: ${issue?.instancePath ?? ''} ${issue?.message ?? ''}`,
  )
}
