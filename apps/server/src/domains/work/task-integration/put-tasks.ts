import { createHash } from 'node:crypto'
import type { PutResult, SourceStep, SourceTask } from '@atrium/contract/work/task-integration'
import { sql } from 'kysely'
import { announceInboxes, syncDelegated } from '#domains/work/tasks/delegated-steps.ts'
import type { Db } from '#platform/database/db.ts'
import { findPeople, type People } from './people.ts'
import type { Source } from './sources.ts'

/** Options for tasks that were read from a list. */
type ListOptions = {
  /** when the list was read: outcomes accepted since then are kept */
  asOf?: string
  /** The list names current assignees but not past ones, so completed steps are kept. */
  retainsCompleted?: boolean
}

/**
 * Stores tasks in the state given by their source. Outcomes not yet sent to the source are kept; a task older than the
 * stored version changes nothing. Call in a transaction.
 * @returns one result per task, in order
 */
export async function putTasks(
  db: Db,
  source: Pick<Source, 'id' | 'name' | 'nameEn'>,
  tasks: readonly SourceTask[],
  options: ListOptions = {},
): Promise<PutResult[]> {
  const storedByKey = await findStored(db, source.id, tasks)
  const people = await findPeople(db, tasks)
  const seenKeys = new Set<string>()
  const results: PutResult[] = []
  const writes: { task: SourceTask; digest: string }[] = []
  for (const task of tasks) {
    const stored = storedByKey.get(task.key)
    const unknown = people.unknownOf(task)
    const addResult = (result: PutResult['result'], reason = '') =>
      results.push({ key: task.key, result, reason, unknown })
    const reason = seenKeys.has(task.key) ? 'twice' : refusalReason(task)
    seenKeys.add(task.key)
    const digest = digestOf(task, unknown)
    if (reason) addResult('refused', reason)
    else if (stored && task.version < Number(stored.source_version)) addResult('stale')
    else if (stored && stored.source_digest === digest) addResult('unchanged')
    else {
      addResult(stored ? 'changed' : 'created')
      writes.push({ task, digest })
    }
  }
  await db
    .updateTable('task_source')
    .set({ put_at: sql<string>`now()` })
    .where('id', '=', source.id)
    .execute()
  if (writes.length > 0) await write(db, source, writes, people, options)
  return results
}

/** Serialises calls: they update counts of the same members and would wait for each other's rows. */
const lockPuts = (db: Db) =>
  sql`select pg_advisory_xact_lock(hashtextextended('task put', 0))`.execute(db)

async function findStored(db: Db, sourceId: string, tasks: readonly SourceTask[]) {
  await lockPuts(db)
  const rows = await db
    .selectFrom('task')
    .select(['source_key', 'source_version', 'source_digest'])
    .where('source_id', '=', sourceId)
    .where('source_key', '=', sql<string>`any(${tasks.map(({ key }) => key)}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.source_key, row]))
}

/** Checks beyond the schema. @returns the reason for refusal, or empty */
function refusalReason({ steps }: SourceTask): string {
  const hasDuplicates = (values: readonly string[]) => new Set(values).size < values.length
  if (hasDuplicates(steps.map(({ key }) => key))) return 'steps: twice'
  for (const { actions } of steps) {
    if (hasDuplicates(actions.map(({ code }) => code))) return 'actions: twice'
    for (const { fields } of actions) {
      if (hasDuplicates(fields.map(({ name }) => name))) return 'fields: twice'
      if (fields.some(({ kind, choices }) => kind === 'choice' && choices.length === 0))
        return 'choices: required'
    }
  }
  return ''
}

/** Includes unknown people, so that an identical task is processed again once they are known. */
const digestOf = (task: SourceTask, unknown: readonly string[]) =>
  createHash('sha256')
    .update(JSON.stringify(unknown.length > 0 ? [task, unknown] : task))
    .digest('base64')

const isOver = ({ status }: SourceTask) => status === 'finish' || status === 'break'
/** Open steps of a finished task are dropped. */
const stepsOf = (task: SourceTask): SourceStep[] =>
  isOver(task)
    ? task.steps.filter(({ kind, doneAt }) => kind === 'circulate' || doneAt)
    : task.steps

async function write(
  db: Db,
  source: Pick<Source, 'id' | 'name' | 'nameEn'>,
  writes: readonly { task: SourceTask; digest: string }[],
  people: People,
  options: ListOptions,
) {
  const taskRows = writes.map(({ task, digest }) => ({
    key: task.key,
    version: task.version,
    digest,
    title: task.title.trim(),
    title_en: task.titleEn.trim(),
    note: task.note,
    note_en: task.noteEn,
    applicant_account_id: people.accountOf(task.applicant) ?? null,
    applicant_name: people.nameOf(task.applicant),
    status: task.status,
    urgent: task.urgent,
    url: task.url,
    form: task.form,
    created_at: task.createdAt ?? null,
    due_at: task.dueAt ?? null,
  }))
  const { rows } = await sql<{ id: string; source_key: string }>`
    insert into task as t (source_id, source_key, source_version, source_digest, source, source_en, title, title_en, note, note_en,
      applicant_account_id, applicant_name, status, urgent, url, form, created_at, due_at, put_at)
    select ${source.id}, key, version, digest, ${source.name}, ${source.nameEn}, title, title_en, note, note_en, applicant_account_id, applicant_name,
      status, urgent, url, form, coalesce(created_at, now()), due_at, clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(taskRows)}::jsonb) as given(key text, version bigint, digest text, title text,
      title_en text, note text, note_en text, applicant_account_id bigint, applicant_name text, status text, urgent boolean, url text, form jsonb,
      created_at timestamptz, due_at timestamptz)
    on conflict (source_id, source_key) where source_id is not null do update set
      source_version = excluded.source_version, source = excluded.source, source_en = excluded.source_en,
      -- with a step that stays as it is, what is here differs
      source_digest = case when not exists (
        select from task_outcome o where o.task_id = t.id and ${isRetained(options)}) then excluded.source_digest end,
      title = excluded.title, title_en = excluded.title_en, note = excluded.note, note_en = excluded.note_en, applicant_account_id = excluded.applicant_account_id,
      applicant_name = excluded.applicant_name, status = excluded.status, urgent = excluded.urgent, url = excluded.url,
      form = excluded.form, due_at = excluded.due_at, put_at = excluded.put_at
    where t.source_version <= excluded.source_version
    returning id, source_key`.execute(db)
  const idOf = new Map(rows.map(({ id, source_key }) => [source_key, id]))
  const steps = writes.flatMap(({ task }) => {
    const taskId = idOf.get(task.key)
    return taskId === undefined
      ? []
      : stepsOf(task).map((step) => ({
          task_id: taskId,
          key: step.key,
          account_id: people.accountOf(step) ?? null,
          person_name: people.nameOf(step),
          kind: step.kind,
          name: step.name,
          name_en: step.nameEn,
          actions: step.actions,
          action: step.action,
          action_en: step.actionEn,
          tone: step.tone ?? null,
          comment: step.comment,
          created_at: step.createdAt ?? null,
          // Due reminders look for the date on the step.
          due_at: step.dueAt ?? task.dueAt ?? null,
          done_at: step.doneAt ?? null,
        }))
  })
  const changed = await writeSteps(db, [...idOf.values()], steps, options)
  await syncDelegated(db, { tasks: [...idOf.values()] })
  await announceInboxes(db, changed)
}

/** SQL condition on an outcome (`o`): it is still being sent, or was accepted after the list was read. */
const isRetained = ({ asOf }: ListOptions) =>
  sql<boolean>`(o.status = 'sending' or (o.status = 'accepted' and o.ended_at >= ${asOf ?? null}::timestamptz))`

/** @returns accounts whose task lists changed */
async function writeSteps(
  db: Db,
  taskIds: readonly string[],
  steps: readonly { task_id: string; key: string }[],
  options: ListOptions = {},
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    with given as (
      select * from rows from (jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as (task_id bigint, key text,
        account_id bigint, person_name text, kind text, name text, name_en text, actions jsonb, action text, action_en text,
        tone text, comment text,
        created_at timestamptz, due_at timestamptz, done_at timestamptz)) with ordinality
    ), before as (
      select account_id from task_step where task_id = any(${taskIds}::bigint[]) and done_at is null
    ), gone as (
      delete from task_step s where s.task_id = any(${taskIds}::bigint[]) and s.for_step_id is null
        and (s.done_at is null or not ${options.retainsCompleted ?? false})
        and not exists (select from given where given.task_id = s.task_id and given.key = s.step_key)
      returning s.account_id
    ), written as (
      insert into task_step as s (task_id, step_key, account_id, person_name, kind, name, name_en, actions, action, action_en, tone,
        comment, created_at, due_at, done_at)
      select task_id, key, account_id, person_name, kind, name, name_en, actions, action, action_en, tone, comment, coalesce(created_at, now()),
        due_at, done_at
      from given order by ordinality
      on conflict (task_id, step_key) where step_key is not null do update set
        account_id = excluded.account_id, person_name = excluded.person_name, kind = excluded.kind, name = excluded.name,
        name_en = excluded.name_en, actions = excluded.actions, action = excluded.action, action_en = excluded.action_en,
        tone = excluded.tone, comment = excluded.comment, due_at = excluded.due_at,
        reminded_at = case when s.due_at is not distinct from excluded.due_at then s.reminded_at end,
        overdue_at = case when s.due_at is not distinct from excluded.due_at then s.overdue_at end,
        -- whoever it goes to next sees it at once
        snoozed_until = case when s.account_id is not distinct from excluded.account_id then s.snoozed_until end,
        -- whether a copy was read is known here alone
        done_at = case when excluded.kind = 'circulate' and s.account_id is not distinct from excluded.account_id
          then coalesce(excluded.done_at, s.done_at) else excluded.done_at end
      where not exists (select from task_outcome o where o.step_id = s.id and ${isRetained(options)})
      returning s.account_id
    )
    select distinct account_id from (
      select account_id from before union all select account_id from gone union all select account_id from written) one
    where account_id is not null`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/** Deletes tasks. @returns the number deleted */
export async function removeTasks(
  db: Db,
  source: Pick<Source, 'id'>,
  keys: readonly string[],
): Promise<number> {
  await lockPuts(db)
  const taskIds = await db
    .selectFrom('task')
    .select('id')
    .where('source_id', '=', source.id)
    .where('source_key', '=', sql<string>`any(${keys as string[]}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const ids = taskIds.map(({ id }) => id)
  const changed = await writeSteps(db, ids, [])
  await db.deleteFrom('task').where('id', '=', sql<string>`any(${ids}::bigint[])`).execute()
  await announceInboxes(db, changed)
  return ids.length
}

/** SQL condition: open here but not listed by the source. */
const isMissing = ({ id }: Pick<Source, 'id'>, listed: readonly string[], putBefore: string) =>
  sql<boolean>`task.source_id = ${id} and task.status in ('progress', 'hang') and task.put_at < ${putBefore}::timestamptz
    and not exists (select from unnest(${listed}::text[]) as listed(key) where listed.key = task.source_key)`

export async function hasMissing(
  db: Db,
  source: Pick<Source, 'id'>,
  listed: readonly string[],
  putBefore: string,
): Promise<boolean> {
  const missing = await db
    .selectFrom('task')
    .select('id')
    .where(isMissing(source, listed, putBefore))
    .limit(1)
    .executeTakeFirst()
  return missing !== undefined
}

/** Ends tasks that are open here but not listed by the source. @returns the number ended */
export async function endMissing(
  db: Db,
  source: Pick<Source, 'id'>,
  listed: readonly string[],
  putBefore: string,
  status: 'finish' | 'break' = 'break',
): Promise<number> {
  await lockPuts(db)
  const { rows } = await sql<{ id: string }>`
    update task set status = ${status}, source_digest = null
    where ${isMissing(source, listed, putBefore)}
    returning id`.execute(db)
  const ids = rows.map(({ id }) => id)
  const deletedSteps = await sql<{ account_id: string }>`
    delete from task_step where task_id = any(${ids}::bigint[]) and kind = 'handle' and done_at is null
    returning account_id`.execute(db)
  const changed = [...new Set(deletedSteps.rows.flatMap(({ account_id }) => account_id ?? []))]
  await announceInboxes(db, changed)
  return ids.length
}
