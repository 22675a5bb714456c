import type { TaskAction } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { writeOccurrences } from '#domains/work/schedule/write-occurrences.ts'
import { announceInboxes } from '#domains/work/tasks/delegated-steps.ts'
import type { HandledTask } from '#domains/work/tasks/engines.ts'
import type { Db } from '#platform/database/db.ts'

export const engineCode = 'study'
const source = '学习中心'
const sourceEn = 'Study centre'
/** Days after the due date until which work can be handed in. */
export const maxLateDays = 28
/**
 * A due time is shown as an event of this many minutes before it, because events without duration are not displayed.
 */
const eventMinutes = 15

const submitActions: TaskAction[] = [
  {
    code: 'hand-in',
    text: '提交作业',
    textEn: 'Hand in',
    tone: 'primary',
    comment: 'optional',
    fields: [
      {
        name: 'files',
        label: '附件',
        labelEn: 'Files',
        kind: 'files',
        required: false,
        choices: [],
      },
    ],
  },
]

type Scope = { assignments: readonly string[] } | 'all'
const inScope = (scope: Scope) =>
  scope === 'all'
    ? sql`coalesce(assignment.due_at, assignment.created_at + interval '180 days') > now() - make_interval(days => ${maxLateDays})`
    : sql`assignment.id = any(${scope.assignments as string[]}::bigint[])`
const form = sql`jsonb_build_array(jsonb_build_object('label', '课程', 'labelEn', 'Course', 'value', course.name, 'valueEn', course.name_en))
  || case when assignment.points is null then '[]' else jsonb_build_array(jsonb_build_object('label', '满分', 'labelEn', 'Points',
    'value', assignment.points::float8::text)) end
  || case when assignment.text = '' then '[]' else jsonb_build_array(jsonb_build_object('label', '要求', 'labelEn', 'What is asked',
    'value', assignment.text)) end`
const sentBackNote = sql`case when result.sent_back_at is null then '[]' else jsonb_build_array(jsonb_build_object('label', '退回意见',
  'labelEn', 'Why it was sent back', 'value', result.sent_back_note)) end`
const title = sql`left(assignment.title, 200)`
const titleEn = sql`left(assignment.title_en, 200)`
/** Work from another system is handed in there; if its address is unknown, it can only be ticked off. */
const tickOffActions: TaskAction[] = [
  {
    code: 'done',
    text: '标为完成',
    textEn: 'Mark as done',
    tone: 'primary',
    comment: 'none',
    fields: [],
  },
]
const actionsOf = sql`case when assignment.url <> '' then '[]' when assignment.source is not null then ${JSON.stringify(tickOffActions)}::jsonb
  else ${JSON.stringify(submitActions)}::jsonb end`

/**
 * Synchronises tasks with coursework: every student who has not handed in has one; people who left have none. Call in a
 * transaction.
 */
export async function syncWork(db: Db, scope: Scope) {
  // Serialised: two concurrent runs would create duplicate tasks.
  await sql`select pg_advisory_xact_lock(hashtextextended('study work', 0))`.execute(db)
  const { rows: changed } = await sql<{ account_id: string }>`
    with stale as materialized (
      select result.assignment_id, result.account_id, result.task_id
      from study_result result join study_assignment assignment on assignment.id = result.assignment_id
      join course on course.id = assignment.course_id
      where result.handed_at is null and result.task_id is not null and ${scope === 'all' ? sql`true` : inScope(scope)}
        and (assignment.kind <> 'work' or assignment.due_at < now() - make_interval(days => ${maxLateDays}) or not exists (
          select from calendar_member member where member.calendar_id = course.calendar_id
            and member.account_id = result.account_id and member.role = 'attends'))
    ), gone as (
      delete from task using stale where task.id = stale.task_id
    ), missing as materialized (
      select assignment.id, member.account_id, nextval(pg_get_serial_sequence('task', 'id')) as task_id
      from study_assignment assignment join course on course.id = assignment.course_id
      join calendar_member member on member.calendar_id = course.calendar_id and member.role = 'attends'
      join account on account.id = member.account_id and account.status <> 'disabled'
      where assignment.kind = 'work' and ${inScope(scope)}
        and (assignment.due_at is null or assignment.due_at >= now() - make_interval(days => ${maxLateDays}))
        and not exists (select from study_result result where result.assignment_id = assignment.id
          and result.account_id = member.account_id and (result.task_id is not null or result.handed_at is not null))
    ), tasks as (
      insert into task (id, title, title_en, source, source_en, applicant_name, note, note_en, form, url, due_at, engine, delegable) overriding system value
      select missing.task_id, ${title}, ${titleEn}, ${source}, ${sourceEn}, coalesce(teacher.name, ''), course.name, course.name_en, ${form} || ${sentBackNote}, assignment.url,
        assignment.due_at, ${engineCode}, false
      from missing join study_assignment assignment on assignment.id = missing.id
      join course on course.id = assignment.course_id
      left join account on account.id = assignment.account_id left join person teacher on teacher.id = account.person_id
      left join study_result result on result.assignment_id = missing.id and result.account_id = missing.account_id
    ), steps as (
      insert into task_step (task_id, account_id, person_name, kind, name, name_en, actions, due_at)
      select missing.task_id, missing.account_id, person.name, 'handle', '提交作业', 'Hand in', ${actionsOf}, assignment.due_at
      from missing join study_assignment assignment on assignment.id = missing.id
      join account on account.id = missing.account_id join person on person.id = account.person_id
    ), results as (
      insert into study_result (assignment_id, account_id, task_id) select id, account_id, task_id from missing
      on conflict (assignment_id, account_id) do update set task_id = excluded.task_id
    )
    select distinct account_id from (
      select account_id from stale union all select account_id from missing) one`.execute(db)
  const { rows: updated } = await sql<{ account_id: string }>`
    with changed as (
      update task set title = ${title}, title_en = ${titleEn}, source_en = ${sourceEn}, note = course.name, note_en = course.name_en, form = ${form} || ${sentBackNote}, url = assignment.url, due_at = assignment.due_at
      from study_result result join study_assignment assignment on assignment.id = result.assignment_id
      join course on course.id = assignment.course_id
      where task.id = result.task_id and result.handed_at is null and ${inScope(scope)}
        and (task.title, task.title_en, task.source_en, task.note, task.note_en, task.form, task.url, task.due_at)
          is distinct from (${title}, ${titleEn}, ${sourceEn}, course.name, course.name_en, ${form} || ${sentBackNote}, assignment.url, assignment.due_at)
      returning task.id, assignment.due_at, ${actionsOf} as actions
    )
    update task_step step set due_at = changed.due_at, actions = changed.actions, reminded_at = null, overdue_at = null
    from changed where step.task_id = changed.id and step.done_at is null returning step.account_id`.execute(
    db,
  )
  await announceInboxes(db, [
    ...new Set([...changed, ...updated].map(({ account_id }) => account_id)),
  ])
}

/** Called when a student completes the task, i.e. hands in the work. */
export async function onSubmitted(db: Db, { taskId, accountId }: HandledTask) {
  await db
    .updateTable('study_result')
    .set({ handed_at: sql<string>`now()` })
    .where('task_id', '=', taskId)
    .where('account_id', '=', accountId)
    .execute()
  await db.updateTable('task').set({ status: 'finish' }).where('id', '=', taskId).execute()
}

/** Closes the tasks of work handed in at another system and notifies the inboxes. */
export async function closeSubmittedTasks(db: Db, assignmentIds: readonly string[]) {
  const { rows } = await sql<{ account_id: string }>`
    with handed as (
      select result.task_id, result.handed_at from study_result result
      where result.assignment_id = any(${assignmentIds as string[]}::bigint[]) and result.handed_at is not null
    ), closed as (
      update task set status = 'finish' from handed where task.id = handed.task_id and task.status <> 'finish' returning task.id
    )
    update task_step step set done_at = now(), action = '已提交' from closed
    where step.task_id = closed.id and step.done_at is null returning step.account_id`.execute(db)
  await announceInboxes(
    db,
    rows.flatMap(({ account_id }) => account_id ?? []),
  )
}

/**
 * Writes due dates as events to the course calendars, visible to all members. Call in a transaction.
 * @returns the number of events deleted or changed
 */
export async function syncDueDates(db: Db, assignmentIds: readonly string[], timeZone: string) {
  const { rows: deleted } = await sql<{ id: string }>`
    delete from event using study_assignment assignment
    where event.id = assignment.event_id and assignment.id = any(${assignmentIds as string[]}::bigint[])
      and (assignment.due_at is null or assignment.kind <> 'work') returning event.id`.execute(db)
  const { rows } = await sql<{ id: string }>`
    with written as (
      insert into event as stored (calendar_id, uid, kind, title, title_en, person, description, starts_local, minutes, time_zone, busy)
      select course.calendar_id, 'study-' || assignment.id, 'event', '作业截止：' || assignment.title,
        'Due: ' || coalesce(nullif(assignment.title_en, ''), assignment.title), '', course.name,
        (assignment.due_at at time zone ${timeZone}) - make_interval(mins => ${eventMinutes}), ${eventMinutes}, ${timeZone}, false
      from study_assignment assignment join course on course.id = assignment.course_id
      where assignment.id = any(${assignmentIds as string[]}::bigint[]) and assignment.due_at is not null and assignment.kind = 'work'
      on conflict (calendar_id, uid) do update set title = excluded.title, title_en = excluded.title_en,
        starts_local = excluded.starts_local, version = stored.version + 1, updated_at = now()
      where (stored.title, stored.title_en, stored.starts_local) is distinct from (excluded.title, excluded.title_en, excluded.starts_local)
      returning id, uid
    )
    update study_assignment assignment set event_id = written.id from written
    where 'study-' || assignment.id = written.uid and assignment.id = any(${assignmentIds as string[]}::bigint[])
    returning written.id`.execute(db)
  await writeOccurrences(
    db,
    rows.map(({ id }) => id),
    new Date(),
  )
  return deleted.length + rows.length
}
