import type {
  TaskAction,
  TaskEntry,
  TaskLine,
  TaskOutcome,
  taskLevels,
} from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { containsPlain, normalizedInput } from '#platform/database/contains.ts'
import { type Db, prepared } from '#platform/database/db.ts'
import { cursorPage, cursorShapes, readCursor } from '#platform/http/paging.ts'
import { isEffective } from './delegated-steps.ts'
import { filesOf } from './handled-files.ts'

type Level = (typeof taskLevels)[number]
type Filter = {
  level: Level
  status?: string | undefined
  circulate?: 'toMe' | 'Meto' | undefined
  keyWords?: string | undefined
  /** any of these */
  source?: readonly string[] | undefined
  /** only tasks from connected systems */
  fromSystem?: boolean
  urgent?: boolean | undefined
  due?: 'overdue' | 'today' | undefined
  /** due from and before, ISO 8601 */
  dueFrom?: string | undefined
  dueUntil?: string | undefined
  /** the end of today, ISO 8601; required for `due: 'today'` */
  dayEnds?: string
  tagGroup?: string | undefined
  snoozed?: boolean | undefined
  cursor?: string | undefined
  pageSize: number
}

/** A snoozed to-do reappears when its time has come. */
const isSnoozed = sql`step.snoozed_until > now()`
const isAwake = sql`(snoozed_until is null or snoozed_until <= now())`

/** What belongs to the member at each level: their steps and copies. */
const levelConditions = {
  myTodo: (accountId: string) =>
    sql`step.account_id = ${accountId} and step.kind = 'handle' and step.done_at is null and ${isEffective('step')}`,
  myDone: (accountId: string) =>
    sql`step.account_id = ${accountId} and step.kind = 'handle' and step.done_at is not null`,
  myReaded: (accountId: string) => sql`step.account_id = ${accountId} and step.kind = 'circulate'`,
  sentByMe: (accountId: string) =>
    sql`step.sent_by_account_id = ${accountId} and step.kind = 'circulate'`,
}

/** Sort key of each level; to-dos without a due date come last. */
const orderTime = {
  myTodo: sql`coalesce(step.due_at, 'infinity'::timestamptz)`,
  myDone: sql`step.done_at`,
  myReaded: sql`step.created_at`,
  myRequest: sql`task.created_at`,
  myDraft: sql`task.created_at`,
}

/** A suspended task offers no actions. */
const openActions = sql`case when task.status = 'progress' and step.done_at is null and step.kind = 'handle' then step.actions else '[]'::jsonb end`
const outcomeOf = (accountId: string) =>
  sql`(select status from task_outcome where task_id = task.id and account_id = ${accountId} order by id desc limit 1)`

const groupOf = (accountId: string) =>
  sql`(select group_id from task_in_group grouped where grouped.task_id = task.id and grouped.account_id = ${accountId})`

const summaryColumns = sql`task.id, task.title, task.title_en, task.source, task.source_en, task.note_en, task.applicant_name, task.status, task.urgent, task.note, task.created_at, task.engine`
/** The English name of an account's person, or empty; also empty if they had another name then. */
export const englishName = (account: string, name: string) =>
  sql<string>`coalesce((select person.name_en from account join person on person.id = account.person_id
    where account.id = ${sql.ref(account)} and person.name = ${sql.ref(name)}), '')`

/** The owner of the step the member handles as a delegate. */
const onBehalfOf = sql`(select original.person_name from task_step original where original.id = step.for_step_id)`
const onBehalfOfEn = sql`(select ${englishName('original.account_id', 'original.person_name')}
  from task_step original where original.id = step.for_step_id)`
type SummaryRow = {
  id: string
  title: string
  title_en: string
  source: string
  source_en: string
  applicant_name: string
  status: string
  urgent: boolean
  note: string
  note_en: string
  created_at: string
  due_at: string | null
  done_at: string | null
  actions: TaskAction[]
  outcome: TaskOutcome['status'] | null
  snoozed_until: string | null
  tag_group: string | null
  engine: string | null
  on_behalf_of: string | null
  on_behalf_of_en: string | null
}
export const toSummary = (row: SummaryRow): TaskLine => ({
  id: row.id,
  title: row.title,
  titleEn: row.title_en,
  source: row.source,
  sourceEn: row.source_en,
  applicant: row.applicant_name,
  status: row.status as TaskLine['status'],
  urgent: row.urgent,
  note: row.note,
  noteEn: row.note_en,
  createdAt: row.created_at,
  dueAt: row.due_at,
  doneAt: row.done_at,
  actions: row.actions,
  outcome: row.outcome,
  isApplication: row.engine === 'applications',
  onBehalfOf: row.on_behalf_of ?? '',
  onBehalfOfEn: row.on_behalf_of_en ?? '',
  snoozedUntil: row.snoozed_until,
  tagGroup: row.tag_group,
})

/** The parameters of the statement; filters not used are undefined. */
type PageQuery = {
  accountId: string
  sentByMe: true | undefined
  snoozed: true | undefined
  source: readonly string[] | undefined
  fromSystem: true | undefined
  urgent: true | undefined
  overdue: true | undefined
  dueToday: string | undefined
  dueFrom: string | undefined
  dueUntil: string | undefined
  tagGroup: string | undefined
  status: string | undefined
  words: string | undefined
  afterAt: string | undefined
  afterId: string | undefined
  limit: number
}
const pageOf = (level: Level) =>
  prepared((_db, query: PageQuery) => {
    const { accountId } = query
    const byStep = level === 'myTodo' || level === 'myDone' || level === 'myReaded'
    const sortTime = orderTime[level]
    const key = byStep ? sql`step.id` : sql`task.id`
    const ascending = level === 'myTodo'
    const dueAt =
      level === 'myTodo'
        ? sql`step.due_at`
        : byStep
          ? sql`coalesce(step.due_at, task.due_at)`
          : sql`task.due_at`
    const conditions = [
      byStep
        ? levelConditions[query.sentByMe ? 'sentByMe' : level](accountId)
        : sql`task.applicant_account_id = ${accountId} and task.draft = ${level === 'myDraft'}`,
    ]
    if (level === 'myTodo') conditions.push(query.snoozed ? isSnoozed : isAwake)
    if (query.source) conditions.push(sql`task.source = any(${query.source}::text[])`)
    if (query.fromSystem) conditions.push(sql`task.source_id is not null`)
    if (query.urgent) conditions.push(sql`task.urgent`)
    if (query.overdue) conditions.push(sql`${dueAt} < now()`)
    if (query.dueToday)
      conditions.push(sql`${dueAt} >= now() and ${dueAt} < ${query.dueToday}::timestamptz`)
    if (query.dueFrom) conditions.push(sql`${dueAt} >= ${query.dueFrom}::timestamptz`)
    if (query.dueUntil) conditions.push(sql`${dueAt} < ${query.dueUntil}::timestamptz`)
    if (query.tagGroup)
      conditions.push(sql`exists (select from task_in_group grouped where grouped.task_id = task.id
        and grouped.account_id = ${accountId} and grouped.group_id = ${query.tagGroup})`)
    if (query.status) conditions.push(sql`task.status = ${query.status}`)
    if (query.words) conditions.push(containsPlain(sql.ref('task.title'), query.words))
    if (query.afterAt)
      conditions.push(
        sql`(${sortTime}, ${key}) ${ascending ? sql`>` : sql`<`} (${query.afterAt}::timestamptz, ${query.afterId}::bigint)`,
      )
    const direction = ascending ? sql`asc` : sql`desc`
    return sql<SummaryRow & { exact: string; key: string }>`
      select ${summaryColumns}, ${dueAt} as due_at,
             ${level === 'myTodo' ? sql`step.snoozed_until` : sql`null::timestamptz`} as snoozed_until,
             ${groupOf(accountId)} as tag_group,
             ${byStep ? sql`step.done_at` : sql`null::timestamptz`} as done_at,
             case when ${sortTime} = 'infinity' then 'infinity' else to_char(${sortTime}, 'YYYY-MM-DD"T"HH24:MI:SS.USZ') end as exact,
             ${byStep && level !== 'myReaded' ? outcomeOf(accountId) : sql`null`} as outcome,
             ${level === 'myTodo' ? openActions : sql`'[]'::jsonb`} as actions,
             ${byStep ? onBehalfOf : sql`null`} as on_behalf_of,
             ${byStep ? onBehalfOfEn : sql`null`} as on_behalf_of_en,
             ${key} as key
      from task ${byStep ? sql`join task_step step on step.task_id = task.id` : sql``}
      where ${sql.join(conditions, sql` and `)}
      order by ${sortTime} ${direction}, ${key} ${direction}
      limit ${query.limit}`
  })
const selectPage: Record<Level, ReturnType<typeof pageOf>> = {
  myTodo: pageOf('myTodo'),
  myDone: pageOf('myDone'),
  myReaded: pageOf('myReaded'),
  myRequest: pageOf('myRequest'),
  myDraft: pageOf('myDraft'),
}

/** A page of the member's tasks at one level: to-dos by due date, others newest first. */
export async function listTasks(db: Db, accountId: string, filter: Filter) {
  const { level, pageSize } = filter
  const [afterAt, afterId] =
    readCursor(filter.cursor, [
      /^(infinity|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+00))$/,
      cursorShapes.id,
    ]) ?? []
  const rows = await selectPage[level](db, {
    accountId,
    sentByMe: (level === 'myReaded' && filter.circulate === 'Meto') || undefined,
    snoozed: filter.snoozed || undefined,
    source: filter.source,
    fromSystem: filter.fromSystem || undefined,
    urgent: filter.urgent || undefined,
    overdue: filter.due === 'overdue' || undefined,
    dueToday: filter.due === 'today' ? filter.dayEnds : undefined,
    dueFrom: filter.dueFrom || undefined,
    dueUntil: filter.dueUntil || undefined,
    tagGroup: filter.tagGroup || undefined,
    status: filter.status || undefined,
    words: normalizedInput(filter.keyWords ?? '') || undefined,
    afterAt,
    afterId,
    limit: pageSize + 1,
  })
  return cursorPage(rows, pageSize, (row) => [row.exact, row.key], toSummary)
}

const countOf = (kind: 'todo' | 'done' | 'unread' | 'request' | 'draft', accountId: unknown) =>
  sql<number>`coalesce((select n from task_count where account_id = ${accountId} and kind = ${kind}), 0)`
/** Snoozed to-dos; there are few. */
const countSnoozed = (accountId: unknown) =>
  sql<number>`(select count(*)::integer from task_step where account_id = ${accountId} and kind = 'handle'
    and done_at is null and snoozed_until is not null and snoozed_until > now())`

/** To-dos of delegations that are over but whose copies were not deleted yet. Usually one index lookup. */
const countLapsed = (accountId: unknown) =>
  sql<number>`case when exists (
      select from task_delegate mine join task_delegation delegation on delegation.id = mine.delegation_id
      where mine.account_id = ${accountId} and delegation.state <> 'over' and delegation.ends_at <= now())
    then (select count(*)::integer from task_step step where step.account_id = ${accountId} and step.kind = 'handle'
      and step.done_at is null and ${isAwake} and not ${isEffective('step')})
    else 0 end`
/** To-dos in the list. */
const countAwake = (accountId: unknown) =>
  sql<number>`${countOf('todo', accountId)} - ${countSnoozed(accountId)} - ${countLapsed(accountId)}`

export async function countTodo(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ${countAwake(accountId)} as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** The same count for several accounts. */
export async function countTodoOf(
  db: Db,
  accountIds: readonly string[],
): Promise<Map<string, number>> {
  // Qualified, because `task_step` has an id too.
  const id = sql.ref('counted.id')
  const { rows } = await sql<{ id: string; count: number }>`
    select counted.id, ${countAwake(id)} as count
    from unnest(${accountIds as string[]}::bigint[]) as counted(id)`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

const selectCounts = prepared(
  (_db, { accountId }: { accountId: string }) => sql<Record<Level | 'snoozed', number>>`
    select ${countAwake(accountId)} as "myTodo", ${countSnoozed(accountId)} as snoozed,
           ${countOf('done', accountId)} as "myDone", ${countOf('unread', accountId)} as "myReaded",
           ${countOf('request', accountId)} as "myRequest", ${countOf('draft', accountId)} as "myDraft"`,
)
export async function countLevels(db: Db, accountId: string) {
  const [counts] = await selectCounts(db, { accountId })
  return counts ?? { myTodo: 0, snoozed: 0, myDone: 0, myReaded: 0, myRequest: 0, myDraft: 0 }
}

/** A stored form entry; external systems only send a label and a value. */
export type StoredEntry = {
  label: string
  labelEn?: string
  value: string
  valueEn?: string
  files?: { fileId: string; name: string }[]
  table?: TaskEntry['table']
}

/** The files referenced by a form. */
export async function findAttached(db: Db, form: readonly StoredEntry[]) {
  const ids = form.flatMap(({ files }) => files?.map(({ fileId }) => fileId) ?? [])
  const rows = await db
    .selectFrom('file')
    .select(['id', 'media_type', 'byte_size'])
    .where('id', '=', sql<string>`any(${ids}::bigint[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The task if the member takes part in it, as its applicant or with a step. */
export async function findTask(db: Db, accountId: string, id: string) {
  const { rows } = await sql<
    SummaryRow & {
      applicant_en: string
      form: StoredEntry[]
      own: boolean
      url: string
      waits: boolean
      unread: boolean
    }
  >`
    select ${summaryColumns}, coalesce(step.due_at, task.due_at) as due_at, step.done_at, task.form, task.url,
           ${englishName('task.applicant_account_id', 'task.applicant_name')} as applicant_en,
           task.applicant_account_id is not distinct from ${accountId}::bigint as own,
           case when ${isSnoozed} and step.done_at is null then step.snoozed_until end as snoozed_until,
           ${groupOf(accountId)} as tag_group, ${outcomeOf(accountId)} as outcome, coalesce(${openActions}, '[]'::jsonb) as actions,
           coalesce(step.kind = 'handle' and step.done_at is null, false) as waits,
           ${onBehalfOf} as on_behalf_of,
           ${onBehalfOfEn} as on_behalf_of_en,
           exists (select from task_step copy where copy.task_id = task.id and copy.account_id = ${accountId}
             and copy.kind = 'circulate' and copy.done_at is null) as unread
    from task
    left join lateral (
      select due_at, done_at, kind, actions, snoozed_until, for_step_id from task_step where task_id = task.id and account_id = ${accountId}
        and ${isEffective('task_step')}
      order by done_at nulls first, kind = 'circulate', id limit 1
    ) step on true
    where task.id = ${id} and ${isParticipant(accountId)}`.execute(db)
  return rows[0]
}

/** The member's to-dos per source, or only of connected systems. */
export const countBySource = (db: Db, accountId: string, from: 'anywhere' | 'systems') =>
  db
    .selectFrom('task_step')
    .innerJoin('task', 'task.id', 'task_step.task_id')
    .select(['task.source', sql<number>`count(*)::integer`.as('count')])
    .where('task_step.account_id', '=', accountId)
    .where('task_step.kind', '=', 'handle')
    .where('task_step.done_at', 'is', null)
    .where(isEffective('task_step'))
    .$if(from === 'systems', (query) => query.where('task.source_id', 'is not', null))
    .where(isAwake as never)
    .groupBy('task.source')
    .orderBy('task.source')
    .limit(200)
    .execute()

/** The member's last action on the task. */
export const findLastOutcome = (db: Db, accountId: string, taskId: string) =>
  db
    .selectFrom('task_outcome')
    .select(['action_text as action', 'comment', 'created_at as at', 'status', 'reason'])
    .where('task_id', '=', taskId)
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const isParticipant = (accountId: string) => sql`(
  task.applicant_account_id = ${accountId}
  or exists (select 1 from task_step part where part.task_id = task.id
    and (part.account_id = ${accountId} or part.sent_by_account_id = ${accountId}) and ${isEffective('part')})
)`

/** The handling steps of the task in order. Copies are private to sender and reader and not listed. */
export const listRecords = (db: Db, accountId: string, taskId: string) =>
  db
    .selectFrom('task_step')
    .innerJoin('task', 'task.id', 'task_step.task_id')
    .select([
      'task_step.id',
      'task_step.person_name as person',
      englishName('task_step.account_id', 'task_step.person_name').as('personEn'),
      'task_step.acted_by_name as by',
      englishName('task_step.acted_by_account_id', 'task_step.acted_by_name').as('byEn'),
      'task_step.name as step',
      'task_step.name_en as stepEn',
      'task_step.action',
      'task_step.action_en as actionEn',
      sql<TaskAction['tone'] | null>`task_step.tone`.as('tone'),
      'task_step.comment',
      'task_step.created_at as since',
      'task_step.done_at as at',
      filesOf(
        sql`outcome.step_id = task_step.id and outcome.status <> 'refused' and task_step.done_at is not null`,
      ).as('files'),
    ])
    .where('task_step.task_id', '=', taskId)
    .where('task_step.kind', '=', 'handle')
    .where('task_step.for_step_id', 'is', null)
    .where(isParticipant(accountId) as never)
    .orderBy('task_step.id')
    .limit(200)
    .execute()
