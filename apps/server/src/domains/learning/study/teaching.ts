import type { Body } from '@atrium/contract/define'
import type { ResultLine, studyTeaching } from '@atrium/contract/learning/study-teaching'
import { sql } from 'kysely'
import { sendMessage } from '#domains/work/messages/send.ts'
import { filesOf, type HandledFile } from '#domains/work/tasks/handled-files.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { cursorPage, pageSizeOf, readCursor } from '#platform/http/paging.ts'
import { listUsableFiles } from '#platform/storage/file-use.ts'
import type { Files } from '#platform/storage/files.ts'
import { coursePage, studyMessages } from './messages.ts'
import { findMembership } from './queries.ts'
import { maxLateDays } from './work.ts'

/** Maximum number per kind and course. */
const maxRows = 200
/** Announcements per teacher and day; each is sent to everybody in the course. */
const maxAnnouncements = 20

/** @throws study.course_not_found if the caller does not teach it */
export async function getTaughtCourse(db: Db, viewer: Member, courseId: string) {
  const membership = await findMembership(db, viewer.accountId, courseId)
  return membership?.role === 'teaches' ? membership : fail('study.course_not_found')
}

const listStudents = (db: Db, calendarId: string) =>
  db
    .selectFrom('calendar_member')
    .select('account_id')
    .where('calendar_id', '=', calendarId)
    .where('role', '=', 'attends')
    .execute()

/**
 * Posts an announcement and sends it to everybody in the course except its author.
 * @returns the number of recipients
 */
export async function postAnnouncement(
  db: Db,
  viewer: Member,
  courseId: string,
  { title, text }: { title: string; text: string },
): Promise<number> {
  const course = await getTaughtCourse(db, viewer, courseId)
  const { lately } = await db
    .selectFrom('study_announcement')
    .select(sql<number>`count(*)::integer`.as('lately'))
    .where('account_id', '=', viewer.accountId)
    .where('created_at', '>', sql<string>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  if (lately >= maxAnnouncements) fail('request.too_many', { retryAfter: 3600 })
  const { id } = await db
    .insertInto('study_announcement')
    .values({
      course_id: courseId,
      account_id: viewer.accountId,
      author: viewer.name,
      author_en: viewer.nameEn,
      title: title.trim(),
      text: text.trim(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const people = await db
    .selectFrom('calendar_member')
    .select('account_id')
    .where('calendar_id', '=', course.calendarId)
    .where('account_id', '<>', viewer.accountId)
    .execute()
  if (people.length === 0) return 0
  const content = text.trim()
  await sendMessage(db, {
    kind: studyMessages.kinds.announcement,
    to: { accounts: people.map(({ account_id }) => account_id) },
    title: {
      zh: `${course.name}：${title.trim()}`,
      en: `${course.nameEn || course.name}: ${title.trim()}`,
    },
    summary: { zh: [...content].slice(0, 200).join('') },
    sender: { zh: viewer.name, en: viewer.nameEn },
    url: coursePage(courseId),
    source: { code: '#study-announcement', key: id },
  })
  return people.length
}

export type AssignmentFields = Body<typeof studyTeaching.createAssignment>

export async function insertAssignment(
  db: Db,
  viewer: Member,
  courseId: string,
  fields: AssignmentFields,
): Promise<string> {
  const course = await getTaughtCourse(db, viewer, courseId)
  const { count } = await db
    .selectFrom('study_assignment')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('course_id', '=', courseId)
    .executeTakeFirstOrThrow()
  if (count >= maxRows) fail('study.too_many')
  const { id } = await db
    .insertInto('study_assignment')
    .values({ course_id: courseId, account_id: viewer.accountId, ...columnsOf(fields) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const students = await listStudents(db, course.calendarId)
  if (students.length > 0)
    await sendMessage(db, {
      kind: studyMessages.kinds.work,
      to: { accounts: students.map(({ account_id }) => account_id) },
      title: {
        zh: `新作业：${fields.title.trim()}`,
        en: `New assignment: ${fields.titleEn.trim() || fields.title.trim()}`,
      },
      summary: { zh: course.name, en: course.nameEn || course.name },
      url: coursePage(courseId),
      source: { code: '#study-work', key: id },
    })
  return id
}

const columnsOf = ({ title, titleEn, text, dueAt, points }: AssignmentFields) => ({
  title: title.trim(),
  title_en: titleEn.trim(),
  text: text.trim(),
  due_at: dueAt,
  points: points === null ? null : String(points),
})

/** An assignment of a course the caller teaches. @throws study.assignment_not_found */
export async function getTaughtAssignment(db: Db, viewer: Member, id: string) {
  const assignment = await db
    .selectFrom('study_assignment as assignment')
    .innerJoin('course', 'course.id', 'assignment.course_id')
    .innerJoin('calendar_member as member', 'member.calendar_id', 'course.calendar_id')
    .select([
      'assignment.id',
      'assignment.title',
      'assignment.title_en as titleEn',
      'assignment.points',
      'assignment.source',
      'assignment.event_id as eventId',
      'course.id as courseId',
      'course.name',
      'course.name_en as nameEn',
    ])
    .where('assignment.id', '=', id)
    .where('member.account_id', '=', viewer.accountId)
    .where('member.role', '=', 'teaches')
    .forUpdate('assignment')
    .executeTakeFirst()
  return assignment ?? fail('study.assignment_not_found')
}

/** As `getTaughtAssignment`, only if it was created here. @throws study.made_elsewhere too */
export async function getOwnAssignment(db: Db, viewer: Member, id: string) {
  const assignment = await getTaughtAssignment(db, viewer, id)
  return assignment.source === null ? assignment : fail('study.made_elsewhere')
}

export const updateAssignment = (db: Db, id: string, fields: AssignmentFields) =>
  db.updateTable('study_assignment').set(columnsOf(fields)).where('id', '=', id).execute()

/**
 * Deletes an assignment with its tasks and calendar event.
 * @returns accounts whose tasks were deleted
 * @throws study.handed_in
 */
export async function removeAssignment(db: Db, id: string, eventId: string | null) {
  // Waits for students who are handing in; later ones no longer find their task.
  await sql`
    select task.id from task join study_result result on result.task_id = task.id
    where result.assignment_id = ${id} order by task.id for update of task`.execute(db)
  const { rows } = await sql`
    select from study_result where assignment_id = ${id} and handed_at is not null limit 1`.execute(
    db,
  )
  if (rows.length > 0) fail('study.handed_in')
  const { rows: affected } = await sql<{ account_id: string }>`
    delete from task using study_result result where task.id = result.task_id and result.assignment_id = ${id}
    returning result.account_id`.execute(db)
  await db.deleteFrom('study_assignment').where('id', '=', id).execute()
  if (eventId) await db.deleteFrom('event').where('id', '=', eventId).execute()
  return affected.map(({ account_id }) => account_id)
}

type Submission = {
  sentBackAt: string | null
  accountId: string
  name: string
  nameEn: string
  username: string
  handedAt: string | null
  comment: string
  files: HandledFile[]
  score: number | null
  grade: string
  feedback: string
  published: boolean
}

export async function listResults(
  db: Db,
  files: Files,
  assignmentId: string,
  query: { cursor?: string; pageSize?: number },
) {
  const pageSize = pageSizeOf(query)
  const after = readCursor(query.cursor, [/^.{1,128}$/])
  const { rows } = await sql<Submission>`
    select account.id as "accountId", person.name, person.name_en as "nameEn", account.username,
      result.handed_at as "handedAt", result.sent_back_at as "sentBackAt", coalesce(step.comment, '') as comment,
      ${filesOf(sql`outcome.task_id = result.task_id and outcome.account_id = account.id`)} as files,
      result.score::float8 as score, coalesce(result.grade, '') as grade, coalesce(result.feedback, '') as feedback,
      result.published_at is not null as published
    from study_assignment assignment join course on course.id = assignment.course_id
    join calendar_member member on member.calendar_id = course.calendar_id and member.role = 'attends'
    join account on account.id = member.account_id join person on person.id = account.person_id
    left join study_result result on result.assignment_id = assignment.id and result.account_id = account.id
    left join lateral (
      select comment from task_step where task_step.task_id = result.task_id and task_step.account_id = account.id
        and done_at is not null order by id desc limit 1) step on true
    where assignment.id = ${assignmentId} ${after ? sql`and account.username > ${after[0]}` : sql``}
    order by account.username limit ${pageSize + 1}`.execute(db)
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.username],
    (row): ResultLine => ({
      ...row,
      files: row.files.map(({ id, name, mediaType }) => ({
        name,
        mediaType,
        url: files.address({ id, is_public: false }, name),
      })),
    }),
  )
}

type MarkList = Body<typeof studyTeaching.mark>['list']
/** @throws study.student_not_found for non-students, request.invalid for scores above the points */
export async function markStudents(
  db: Db,
  { id, points }: { id: string; points: string | null },
  list: MarkList,
) {
  if (list.length === 0) return
  const max = points === null ? undefined : Number(points)
  if (list.some(({ score }) => score !== null && max !== undefined && score > max))
    fail('request.invalid', { fields: { 'list.score': 'range' } })
  if (new Set(list.map(({ accountId }) => accountId)).size < list.length)
    fail('request.invalid', { fields: { 'list.accountId': 'twice' } })
  const { rows } = await sql`
    insert into study_result as known (assignment_id, account_id, score, grade, feedback, marked_at)
    select ${id}, member.account_id, given.score, given.grade, given.feedback, now()
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as given("accountId" bigint, score numeric, grade text, feedback text)
    join study_assignment assignment on assignment.id = ${id} join course on course.id = assignment.course_id
    join calendar_member member on member.calendar_id = course.calendar_id and member.role = 'attends'
      and member.account_id = given."accountId"
    on conflict (assignment_id, account_id) do update set score = excluded.score, grade = excluded.grade,
      feedback = excluded.feedback, marked_at = now()
    returning account_id`.execute(db)
  if (rows.length < list.length) fail('study.student_not_found')
}

/** Publishes all marks and notifies the students who had not seen one. @returns their number */
export async function publishMarks(
  db: Db,
  { id, courseId, title, titleEn, name, nameEn }: Awaited<ReturnType<typeof getTaughtAssignment>>,
): Promise<number> {
  const { rows } = await sql<{ account_id: string }>`
    update study_result set published_at = now()
    where assignment_id = ${id} and published_at is null and (score is not null or grade <> '')
    returning account_id`.execute(db)
  if (rows.length > 0)
    await sendMessage(db, {
      kind: studyMessages.kinds.mark,
      to: { accounts: rows.map(({ account_id }) => account_id) },
      title: { zh: `成绩已公布：${title}`, en: `Marked: ${titleEn || title}` },
      summary: { zh: name, en: nameEn || name },
      url: coursePage(courseId),
    })
  return rows.length
}

/**
 * Marks a student's work as not handed in, with a reason. Call in a transaction that calls `syncWork` afterwards.
 * @throws study.not_returnable
 */
export async function returnWork(
  db: Db,
  { id, courseId, title, titleEn }: Awaited<ReturnType<typeof getTaughtAssignment>>,
  accountId: string,
  note: string,
) {
  // The completed task keeps the submission; a new task is created.
  const { rows } = await sql`
    update study_result result
    set handed_at = null, task_id = null, sent_back_at = now(), sent_back_note = ${note}
    from study_assignment assignment join course on course.id = assignment.course_id
    join calendar_member member on member.calendar_id = course.calendar_id and member.role = 'attends'
      and member.account_id = ${accountId}
    where assignment.id = ${id} and result.assignment_id = assignment.id and result.account_id = member.account_id
      and result.handed_at is not null and result.published_at is null
      and assignment.kind = 'work' and assignment.url = ''
      and (assignment.due_at is null or assignment.due_at >= now() - make_interval(days => ${maxLateDays}))
    returning result.account_id`.execute(db)
  if (rows.length === 0) fail('study.not_returnable')
  await sendMessage(db, {
    kind: studyMessages.kinds.work,
    to: { accounts: [accountId] },
    title: {
      zh: `作业已退回，请修改后再提交：${title}`,
      en: `Assignment sent back: ${titleEn || title}`,
    },
    summary: { zh: note, en: note },
    url: coursePage(courseId),
  })
}

/** @throws study.too_many, request.invalid, file.held */
export async function insertMaterial(
  db: Db,
  viewer: Member,
  courseId: string,
  { title, titleEn, unitId, fileId, url }: Body<typeof studyTeaching.addMaterial>,
): Promise<string> {
  await getTaughtCourse(db, viewer, courseId)
  if ((fileId === undefined) === (url === undefined))
    fail('request.invalid', { fields: { fileId: 'required' } })
  if (url !== undefined && !URL.canParse(url))
    fail('request.invalid', { fields: { url: 'format' } })
  const { count, last, unit } = await db
    .selectFrom('study_material')
    .select([
      sql<number>`count(*)::integer`.as('count'),
      sql<number>`coalesce(max(position), 0)::integer`.as('last'),
      sql<boolean>`exists (select from study_unit where id = ${unitId ?? null} and course_id = ${courseId})`.as(
        'unit',
      ),
    ])
    .where('course_id', '=', courseId)
    .executeTakeFirstOrThrow()
  if (count >= maxRows) fail('study.too_many')
  if (unitId !== undefined && !unit) fail('request.invalid', { fields: { unitId: 'unknown' } })
  if (fileId !== undefined) {
    if (!(await listUsableFiles(db, viewer, [fileId])).has(fileId))
      fail('request.invalid', { fields: { fileId: 'unknown' } })
    const file = await db
      .selectFrom('file')
      .select('scanned')
      .where('id', '=', fileId)
      .executeTakeFirst()
    if (!file?.scanned) fail('file.held')
  }
  const { id } = await db
    .insertInto('study_material')
    .values({
      course_id: courseId,
      unit_id: unitId ?? null,
      position: last + 1,
      kind: fileId === undefined ? 'link' : 'file',
      title: title.trim(),
      title_en: titleEn.trim(),
      file_id: fileId ?? null,
      url: url ?? '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** @throws study.material_not_found, study.made_elsewhere */
export async function removeMaterial(db: Db, viewer: Member, id: string) {
  const material = await db
    .selectFrom('study_material as material')
    .innerJoin('course', 'course.id', 'material.course_id')
    .innerJoin('calendar_member as member', 'member.calendar_id', 'course.calendar_id')
    .select('material.source')
    .where('material.id', '=', id)
    .where('member.account_id', '=', viewer.accountId)
    .where('member.role', '=', 'teaches')
    .executeTakeFirst()
  if (!material) fail('study.material_not_found')
  if (material.source !== null) fail('study.made_elsewhere')
  await db.deleteFrom('study_material').where('id', '=', id).execute()
}
