import type { Todo, TodoDetail, TodoExecutor } from '@atrium/contract/work/todos'
import { sql } from 'kysely'
import { contains } from '#platform/database/contains.ts'
import type { Db } from '#platform/database/db.ts'
import { cursorPage, cursorShapes, readCursor } from '#platform/http/paging.ts'
import type { Repeat } from './repeat.ts'

const columns = sql`todo.id, todo.title, todo.note, todo.due_at, todo.all_day, todo.repeat, todo.tags, todo.steps, todo.finished_at,
  part.owner, part.may_finish, part.done_at, owner_person.name as owner_name, owner_person.name_en as owner_name_en,
  (select count(*)::integer - 1 from todo_member other where other.todo_id = todo.id) as executors`
const from = sql`todo_member part
  join todo on todo.id = part.todo_id
  join account owner_account on owner_account.id = todo.account_id
  join person owner_person on owner_person.id = owner_account.person_id`

type Row = {
  id: string
  title: string
  note: string
  due_at: string | null
  all_day: boolean
  repeat: Repeat
  tags: string[]
  steps: { text: string; done: boolean }[]
  finished_at: string | null
  owner: boolean
  may_finish: boolean
  done_at: string | null
  owner_name: string
  owner_name_en: string
  executors: number
}

const toTodo = (row: Row): Todo => ({
  id: row.id,
  title: row.title,
  note: row.note,
  dueAt: row.due_at,
  allDay: row.all_day,
  repeat: row.repeat,
  tags: row.tags,
  steps: row.steps.length,
  stepsDone: row.steps.filter(({ done }) => done).length,
  executors: row.executors,
  own: row.owner,
  owner: row.owner_name,
  ownerEn: row.owner_name_en,
  finishedAt: row.finished_at,
  doneAt: row.done_at,
})

/** A page of a member's list. */
export async function listTodos(
  db: Db,
  accountId: string,
  filter: {
    finished: boolean
    tag?: string | undefined
    keyWords?: string | undefined
    /** due from and before, ISO 8601 */
    dueFrom?: string | undefined
    dueUntil?: string | undefined
    cursor?: string | undefined
    pageSize: number
  },
) {
  const { finished, pageSize } = filter
  const sortKey = finished ? sql`part.finished_at` : sql`part.position`
  const after = readCursor(
    filter.cursor,
    finished
      ? [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/, cursorShapes.id]
      : [/^-?\d+(\.\d+)?(e[+-]?\d+)?$/, cursorShapes.id],
  )
  const type = finished ? sql`timestamptz` : sql`double precision`
  const conditions = [
    sql`part.account_id = ${accountId} and part.finished_at is ${finished ? sql`not null` : sql`null`}`,
  ]
  if (filter.tag) conditions.push(sql`${filter.tag} = any(todo.tags)`)
  if (filter.dueFrom) conditions.push(sql`todo.due_at >= ${filter.dueFrom}::timestamptz`)
  if (filter.dueUntil) conditions.push(sql`todo.due_at < ${filter.dueUntil}::timestamptz`)
  if (filter.keyWords?.trim()) {
    const [title, note] = [sql.ref('todo.title'), sql.ref('todo.note')].map((text) =>
      contains(text, filter.keyWords ?? ''),
    )
    conditions.push(sql`(${title} or ${note})`)
  }
  if (after)
    conditions.push(
      finished
        ? sql`(${sortKey}, todo.id) < (${after[0]}::${type}, ${after[1]}::bigint)`
        : sql`(${sortKey}, todo.id) > (${after[0]}::${type}, ${after[1]}::bigint)`,
    )
  const direction = finished ? sql`desc` : sql`asc`
  const { rows } = await sql<Row & { exact: string }>`
    select ${columns}, ${
      finished
        ? sql`to_char(${sortKey} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USZ')`
        : sql`${sortKey}::text`
    } as exact
    from ${from} where ${sql.join(conditions, sql` and `)}
    order by ${sortKey} ${direction}, todo.id ${direction} limit ${pageSize + 1}`.execute(db)
  return cursorPage(rows, pageSize, (row) => [row.exact, row.id], toTodo)
}

/** A to-do in the member's list. */
export async function findTodo(
  db: Db,
  accountId: string,
  id: string,
): Promise<TodoDetail | undefined> {
  const { rows } = await sql<
    Row & {
      version: number
      time_zone: string
      due_local: string
      source: TodoDetail['source']
      reminders: number[]
      executor_list: TodoExecutor[]
    }
  >`
    select ${columns}, todo.version, todo.time_zone, todo.source,
      coalesce(to_char(todo.due_at at time zone todo.time_zone, 'YYYY-MM-DD"T"HH24:MI'), '') as due_local,
      array(select minutes from todo_reminder where todo_id = todo.id order by minutes) as reminders,
      coalesce((
        select jsonb_agg(jsonb_build_object('accountName', account.username, 'name', person.name, 'nameEn', person.name_en,
          'mayFinish', executor.may_finish, 'doneAt', to_char(executor.done_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MSZ'))
          order by executor.position, account.id)
        from todo_member executor join account on account.id = executor.account_id join person on person.id = account.person_id
        where executor.todo_id = todo.id and not executor.owner), '[]') as executor_list
    from ${from} where part.account_id = ${accountId} and part.todo_id = ${id}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  return {
    ...toTodo(row),
    version: row.version,
    dueLocal: row.due_local,
    timeZone: row.time_zone,
    stepList: row.steps,
    reminders: row.reminders,
    executorList: row.executor_list,
    mayFinish: row.may_finish,
    source: row.source,
  }
}

/** Locks a to-do in the member's list. */
export const lockTodo = async (db: Db, accountId: string, id: string) => {
  const { rows } = await sql<{
    id: string
    version: number
    owner: boolean
    may_finish: boolean
    finished_at: string | null
    next_id: string | null
  }>`
    select todo.id, todo.version, part.owner, part.may_finish, todo.finished_at, todo.next_id
    from todo join todo_member part on part.todo_id = todo.id and part.account_id = ${accountId}
    where todo.id = ${id} for update of todo`.execute(db)
  return rows[0]
}

export async function countOpen(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('todo_member')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('account_id', '=', accountId)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** SQL position at the end of a member's list. */
export const lastPosition = (accountId: string) => sql<number>`(
  select coalesce(max(position), 0) + 1 from todo_member where account_id = ${accountId} and finished_at is null)`

/** Moves a to-do before another one in a member's list, or to the end, and renumbers the list. */
export async function setPosition(
  db: Db,
  accountId: string,
  id: string,
  before: string | null,
): Promise<void> {
  const position =
    before === null
      ? lastPosition(accountId)
      : sql<number>`coalesce((
          select position - 0.5 from todo_member where account_id = ${accountId} and todo_id = ${before} and finished_at is null),
          position)`
  await sql`update todo_member set position = ${position} where account_id = ${accountId} and todo_id = ${id}`.execute(
    db,
  )
  await sql`
    update todo_member set position = numbered.position
    from (
      select todo_id, row_number() over (order by position, todo_id) as position
      from todo_member where account_id = ${accountId} and finished_at is null
    ) as numbered
    where todo_member.account_id = ${accountId} and todo_member.todo_id = numbered.todo_id
      and todo_member.position <> numbered.position`.execute(db)
}
