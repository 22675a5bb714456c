import { SourceTask } from '@atrium/contract/work/task-integration'
import { sql } from 'kysely'
import Value from 'typebox/value'
import type { Db } from '#platform/database/db.ts'
import { callWebhook } from '#platform/outbound/webhook.ts'
import type { Platform } from '#platform/platform.ts'
import { endMissing, putTasks } from './put-tasks.ts'
import { listDueSources, type Source } from './sources.ts'

type Surroundings = Pick<Platform, 'db' | 'env' | 'secret'> & {
  log: { warn: (details: object, words: string) => void }
}

/** Lists are compared this often. */
const everyMinutes = 60
const tasksPerPut = 500
/** A list beyond this many pages is taken for one that never ends. */
const maxPages = 1000
const maxPageBytes = 16_000_000

export async function compareDueSources(platform: Platform) {
  for (const source of await listDueSources(platform.db)) await compareSource(platform, source)
}

/**
 * Reads the open tasks of a source and mends ours: what is missing here is put in, what differs is changed, what is open
 * here alone is ended. A list that breaks off changes nothing but what it had told so far, and ends nothing.
 */
export async function compareSource(platform: Surroundings, source: Source) {
  const { db, log } = platform
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
  const began = rows[0]?.now ?? ''
  const counts = { listed: 0, created: 0, changed: 0, ended: 0 }
  const listed: string[] = []
  try {
    for await (const page of pagesOf(platform, source))
      for (let start = 0; start < page.length; start += tasksPerPut) {
        const tasks = page.slice(start, start + tasksPerPut)
        const results = await db.transaction().execute((db) => putTasks(db, source, tasks))
        for (const { result } of results)
          if (result === 'created' || result === 'changed') counts[result]++
        listed.push(...tasks.map(({ key }) => key))
      }
    counts.listed = listed.length
    counts.ended = await db.transaction().execute((db) => endMissing(db, source, listed, began))
    await save(db, source, {
      compared: JSON.stringify(counts),
      compared_at: sql<string>`now()`,
      compare_error: '',
      mended: sql<string>`mended + ${counts.created + counts.changed + counts.ended}`,
    })
  } catch (error) {
    const issue = (error as Error).message.slice(0, 300)
    log.warn({ source: source.code }, `the list of a source of tasks was not read: ${issue}`)
    await save(db, source, { compare_error: issue })
  }
}

const save = (db: Db, { id }: Source, columns: object) =>
  db
    .updateTable('task_source')
    .set({
      ...columns,
      compare_due_at: sql<string>`now() + make_interval(mins => ${everyMinutes})`,
    })
    .where('id', '=', id)
    .execute()

/** @throws Error with what is wrong with the list */
async function* pagesOf(platform: Surroundings, source: Source): AsyncGenerator<SourceTask[]> {
  const { env, secret } = platform
  const key = source.sealedSecret ? secret.decrypt(source.sealedSecret) : undefined
  let next: string | undefined
  for (let page = 0; page < maxPages; page++) {
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
