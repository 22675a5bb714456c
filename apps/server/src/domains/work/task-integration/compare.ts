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

type CompareContext = Pick<Platform, 'db' | 'env' | 'secret'> & {
  log: { warn: (details: object, words: string) => void }
}

const tasksPerPut = 500
/** Sources compared in parallel on a node, so that a slow one does not block the others. */
const sourcesAtOnce = 4
/** Longer than any read and update takes. If a node dies, another node can claim the source after this time. */
const claimMinutes = 20
/** Upper limit of the pause after failures, unless the regular interval is longer. */
const maxBackoffMinutes = 60
/** A list with more pages is treated as endless. */
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

/** Claims a source, unless another node holds it. */
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
      // Reads the full list at least hourly: differences here are not always caused by a change in the source.
      sql<string | null>`case when list_read_at > now() - interval '1 hour' then list_etag end`.as(
        'etag',
      ),
    ])
    .executeTakeFirst()
type ClaimedSource = NonNullable<Awaited<ReturnType<typeof claim>>>

/**
 * Reads a source's open tasks and synchronises ours: creates missing tasks, updates changed ones, ends tasks that are
 * open only here. If reading the list fails, the tasks read so far are kept and nothing is ended.
 * @returns false if another node holds the source
 */
export async function compareSource(
  platform: CompareContext,
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
    await (connector
      ? compareByConnector(platform, source, connector)
      : compareList(platform, source))
    await release(db, source, minutes)
  } catch (error) {
    const issue = (error as Error).message.slice(0, 300)
    log.warn({ source: source.code }, `the list of a task source could not be read: ${issue}`)
    const failures = source.failures + 1
    const intervalMinutes = Math.min(
      minutes * 2 ** Math.min(failures, 20),
      Math.max(minutes, maxBackoffMinutes),
    )
    await release(db, source, intervalMinutes, { compare_error: issue, compare_failures: failures })
  }
  return true
}

/** Compares a list in the format of the integration API. */
async function compareList(platform: CompareContext, source: ClaimedSource) {
  const { db } = platform
  const counts = { listed: 0, created: 0, changed: 0, ended: 0, unread: 0 }
  const listed: string[] = []
  for await (const page of pagesOf(platform, source)) {
    await putInBatches(db, source, page, counts, false)
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

const emptyRemark = 'the list is empty; its tasks are ended only if it is empty again next time'

/** A source that lost its data or our access also lists nothing, so all tasks are ended only after two empty lists. */
const isSuddenlyEmpty = async (db: Db, source: ClaimedSource, keys: readonly string[]) =>
  keys.length === 0 && !source.wasEmpty && (await hasMissing(db, source, keys, source.began))

/** Compares a list read through a connector description. The whole list is read before any task is stored. */
async function compareByConnector(
  { db, env }: CompareContext,
  source: ClaimedSource,
  { description, secret }: ReturnType<typeof openConnector>,
) {
  const { timeZone } = await readSettings(db)
  const readList = (etag?: string) =>
    listByConnector(description, secret, { allow: env.ATRIUM_OUTBOUND_ALLOW, timeZone, etag })
  const list = await readList(source.etag ?? undefined)
  if (!list) {
    await writeComparison(db, source, undefined, '')
    return
  }
  const counts = { listed: list.keys.length, created: 0, changed: 0, ended: 0, unread: list.unread }
  const isClean = await putInBatches(db, source, list.tasks, counts, true)
  let { keys, mayEnd, remark } = list
  if (mayEnd && (await isSuddenlyEmpty(db, source, keys))) {
    mayEnd = false
    remark = emptyRemark
  }
  // A task that moves from an unread page to one already read is missing from both, so read the list again.
  if (mayEnd && list.isPaged && (await hasMissing(db, source, keys, source.began))) {
    const secondRead = await readList()
    mayEnd = secondRead?.mayEnd === true
    keys = [...keys, ...(secondRead?.keys ?? [])]
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

/** SQL condition: the source's connector description has not changed since the claim. */
const isAsClaimed = ({ connector }: ClaimedSource) =>
  sql<boolean>`connector is not distinct from ${connector === null ? null : JSON.stringify(connector)}::jsonb`

type Counts = { listed: number; created: number; changed: number; ended: number; unread: number }

/** @returns whether all tasks are now stored as listed */
async function putInBatches(
  db: Db,
  source: ClaimedSource,
  tasks: SourceTask[],
  counts: Counts,
  retainsCompleted: boolean,
) {
  let isClean = true
  for (let start = 0; start < tasks.length; start += tasksPerPut) {
    const batch = tasks.slice(start, start + tasksPerPut)
    const results = await db
      .transaction()
      .execute((db) => putTasks(db, source, batch, { asOf: source.began, retainsCompleted }))
    for (const { result, unknown } of results) {
      if (result === 'created' || result === 'changed') counts[result]++
      if (result === 'refused') counts.unread++
      isClean &&= unknown.length === 0 && result !== 'refused' && result !== 'stale'
    }
  }
  return isClean
}

/** @param counts undefined if the list is unchanged */
const writeComparison = (
  db: Db,
  { id }: ClaimedSource,
  counts: Counts | undefined,
  remark: string,
) =>
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

/**
 * @param pause minutes from the start of this comparison to the next; 30 s are subtracted, because the job polls once a
 * minute and must find it due
 */
const release = (db: Db, source: ClaimedSource, intervalMinutes: number, columns: object = {}) =>
  db
    .updateTable('task_source')
    .set({
      ...columns,
      compare_claimed_until: null,
      compare_due_at: sql<string>`case when ${isAsClaimed(source)}
        then ${source.began}::timestamptz + make_interval(mins => ${intervalMinutes}, secs => -30) else now() end`,
    })
    .where('id', '=', source.id)
    .execute()

/** @throws Error describing the fault of the list */
async function* pagesOf(platform: CompareContext, source: Source): AsyncGenerator<SourceTask[]> {
  const { env, secret } = platform
  const key = source.sealedSecret ? secret.decrypt(source.sealedSecret) : undefined
  const deadline = Date.now() + maxSeconds * 1000
  let next: string | undefined
  for (let page = 0; page < maxPages; page++) {
    if (Date.now() > deadline)
      throw new Error(`the list takes longer than ${maxSeconds / 60} minutes`)
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
    yield tasks.map((task, index) => readTask(task, index))
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
  if (!Array.isArray(tasks)) throw new Error('the list has no tasks array')
  return { tasks, nextCursor }
}

function readTask(input: unknown, index: number): SourceTask {
  const task = Value.Default(SourceTask, input)
  if (Value.Check(SourceTask, task)) return task
  const [issue] = Value.Errors(SourceTask, task)
  throw new Error(
    `task ${index + 1} of a page: ${issue?.instancePath ?? ''} ${issue?.message ?? ''}`,
  )
}
