import type { Body } from '@atrium/contract/define'
import type { TaskSource, taskSources } from '@atrium/contract/work/task-sources.operator'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Secret } from '#platform/secret.ts'

type Fields = Body<typeof taskSources.update>

/** A source with the settings needed to store its tasks and send it outcomes. */
export type Source = {
  id: string
  code: string
  name: string
  nameEn: string
  callbackUrl: string
  listUrl: string
  sealedSecret: string | null
  connector: unknown
  sealedConnectorSecret: string | null
}
export const sourceColumns = [
  'task_source.id',
  'task_source.code',
  'task_source.name',
  'task_source.name_en as nameEn',
  'task_source.callback_url as callbackUrl',
  'task_source.list_url as listUrl',
  'task_source.sealed_secret as sealedSecret',
  'task_source.connector',
  'task_source.sealed_connector_secret as sealedConnectorSecret',
] as const

/** The source linked to a registered system. @throws task.source_unknown */
export const sourceOfSystem = async (db: Db, system: string): Promise<Source> =>
  (await db
    .selectFrom('task_source')
    .innerJoin('relying_party', 'relying_party.id', 'task_source.relying_party_id')
    .select(sourceColumns)
    .where('relying_party.code', '=', system)
    .executeTakeFirst()) ?? fail('task.source_unknown')

/** @throws task.source_unknown */
export const findSource = async (db: Db, code: string): Promise<Source> =>
  (await db
    .selectFrom('task_source')
    .select(sourceColumns)
    .where('code', '=', code)
    .executeTakeFirst()) ?? fail('task.source_unknown')

export const isDue = sql<boolean>`(list_url <> '' or connector is not null) and compare_due_at <= now()`

/** Comparison interval for lists in the format of the integration API. */
export const listMinutes = 60

/** Sources due for comparison. */
export const listDueSources = (db: Db): Promise<Source[]> =>
  db
    .selectFrom('task_source')
    .select(sourceColumns)
    .where(isDue)
    .orderBy('compare_due_at')
    .limit(100)
    .execute()

/** @throws task.source_known, request.invalid */
export async function createSource(
  db: Db,
  secret: Secret,
  { code, ...fields }: Body<typeof taskSources.create>,
) {
  const inserted = await db
    .insertInto('task_source')
    .values({ code, ...(await columnsOf(db, secret, fields)) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) fail('task.source_known')
  return getSource(db, code)
}

/** @throws task.source_unknown, task.source_known, request.invalid */
export async function updateSource(db: Db, secret: Secret, code: string, fields: Fields) {
  const { id } = await findSource(db, code)
  const columns = await columnsOf(db, secret, fields)
  const conflicting = await db
    .selectFrom('task_source')
    .select('id')
    .where('relying_party_id', '=', columns.relying_party_id)
    .where('id', '<>', id)
    .executeTakeFirst()
  if (conflicting) fail('task.source_known')
  await db
    .updateTable('task_source')
    .set({ ...columns, compare_due_at: sql<string>`now()`, compare_failures: 0 })
    .where('id', '=', id)
    .execute()
  return getSource(db, code)
}

/** @throws task.source_unknown, task.source_used */
export async function removeSource(db: Db, code: string) {
  const { id } = await findSource(db, code)
  const used = await db
    .selectFrom('task')
    .select('id')
    .where('source_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (used) fail('task.source_used')
  await db.deleteFrom('task_source').where('id', '=', id).execute()
}

async function columnsOf(db: Db, secret: Secret, fields: Fields) {
  const party = await db
    .selectFrom('relying_party')
    .select('id')
    .where('code', '=', fields.system)
    .executeTakeFirst()
  if (!party && fields.system) fail('request.invalid', { fields: { system: 'unknown' } })
  return {
    name: fields.name.trim(),
    name_en: fields.nameEn.trim(),
    relying_party_id: party?.id ?? null,
    callback_url: fields.callbackUrl,
    list_url: fields.listUrl,
    ...(fields.secret && { sealed_secret: secret.encrypt(fields.secret) }),
  }
}

/** @throws task.source_unknown */
export const getSource = async (db: Db, code: string) =>
  (await listSources(db, code))[0] ?? fail('task.source_unknown')

/** Sources with their health. */
export async function listSources(db: Db, code?: string): Promise<TaskSource[]> {
  const rows = await db
    .selectFrom('task_source as source')
    .leftJoin('relying_party', 'relying_party.id', 'source.relying_party_id')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('task_outcome as outcome')
          .innerJoin('task', 'task.id', 'outcome.task_id')
          .select([
            sql<number>`count(*)::integer`.as('waiting'),
            sql<string | null>`min(outcome.created_at)`.as('since'),
          ])
          .where('outcome.status', '=', 'sending')
          .whereRef('task.source_id', '=', 'source.id')
          .as('sending'),
      (join) => join.onTrue(),
    )
    .selectAll('source')
    .select([
      'relying_party.code as system',
      'sending.waiting',
      'sending.since',
      sql<number>`(select count(*)::integer from task where source_id = source.id and status in ('progress', 'hang'))`.as(
        'open',
      ),
      sql<number>`case when connector is not null then (connector->>'everyMinutes')::integer
        when list_url <> '' then ${listMinutes}::integer else 0 end`.as('every_minutes'),
    ])
    .$if(code !== undefined, (query) => query.where('source.code', '=', code as string))
    .orderBy('source.code')
    .limit(500)
    .execute()
  return rows.map((row) => ({
    code: row.code,
    name: row.name,
    nameEn: row.name_en,
    system: row.system ?? '',
    callbackUrl: row.callback_url,
    listUrl: row.list_url,
    everyMinutes: row.every_minutes,
    connected: row.connector !== null,
    failures: row.compare_failures,
    open: row.open,
    putAt: row.put_at,
    waiting: row.waiting ?? 0,
    waitingSince: row.since,
    comparedAt: row.compared_at,
    compareError: row.compare_error,
    compared: countsOf(row.compared),
    mended: Number(row.mended),
  }))
}

const countsOf = (compared: unknown): TaskSource['compared'] =>
  compared
    ? { unread: 0, ...(compared as Omit<NonNullable<TaskSource['compared']>, 'unread'>) }
    : null
