import type { Assignment, Course, StudyLesson, StudyTerm } from '@atrium/contract/learning/study'
import type { Place } from '@atrium/contract/shell/map'
import { dayIn } from '@atrium/rules/day-in'
import { roomInEnglish } from '@atrium/rules/places/room-in-english'
import { sql } from 'kysely'
import { listAllPlaces } from '#domains/shell/map/queries.ts'
import { type Db, prepared } from '#platform/database/db.ts'
import type { Platform } from '#platform/platform.ts'

/** Maximum number of courses shown; more than anybody has in a term. */
const maxCourses = 100
/** Share of the points needed to pass. */
const minPassShare = 0.6

type TermRow = {
  id: string
  code: string
  name: string
  name_en: string
  starts_on: string
  weeks: number
}
export type TermWithId = StudyTerm & { id: string }

/** Terms in which the member has courses, newest first. */
export async function listTerms(
  db: Db,
  accountId: string,
  timeZone: string,
): Promise<TermWithId[]> {
  const { rows } = await sql<TermRow>`
    select term.id, coalesce(term.code, term.starts_on::text) as code, term.name, term.name_en, term.starts_on::text, term.weeks
    from academic_term term
    where term.id in (select course.term_id from calendar_member member
      join course on course.calendar_id = member.calendar_id where member.account_id = ${accountId})
    order by term.starts_on desc limit 40`.execute(db)
  return rows.map((row) => toTermWithWeek(row, timeZone))
}

export function toTermWithWeek(row: TermRow, timeZone: string): TermWithId {
  const first = Temporal.PlainDate.from(row.starts_on)
  const monday = first.subtract({ days: first.dayOfWeek - 1 })
  const today = Temporal.PlainDate.from(dayIn(Date.now(), timeZone))
  const week = Math.floor(monday.until(today, { largestUnit: 'days' }).days / 7) + 1
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    nameEn: row.name_en,
    startsOn: row.starts_on,
    weeks: row.weeks,
    week: week >= 1 && week <= row.weeks ? week : 0,
  }
}

/** The current term, else the next one, else the last. */
export const currentTerm = (terms: readonly TermWithId[], timeZone: string) => {
  const today = dayIn(Date.now(), timeZone)
  return (
    terms.find(({ week }) => week > 0) ??
    terms.findLast(({ startsOn }) => startsOn > today) ??
    terms[0]
  )
}

const markOf = sql`case when result.published_at is not null then jsonb_build_object('score', result.score, 'points', assignment.points,
  'grade', result.grade, 'feedback', result.feedback,
  'at', to_char(result.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end`

/** Columns of `o`, an occurrence of a lesson of `course`. */
const lessonColumns = sql`course.id as "courseId", event.id as "eventId", event.title, event.title_en as "titleEn",
  o.starts_at as "startsAt", o.ends_at as "endsAt", coalesce(changed.location, event.location) as location`
const lessonTables = sql`event_occurrence o
  join event on event.id = o.event_id
  left join event_override changed on (changed.event_id, changed.original_local) = (o.event_id, o.original_local)`
/** Uses the index of short occurrences; due dates of assignments are not lessons. */
const isToCome = sql`not o.long and o.starts_at > now() - interval '1 day' and o.ends_at > now()
  and exists (select from lesson_event taught where taught.event_id = o.event_id)`

type StoredLesson = Omit<StudyLesson, 'locationEn'>
const selectLessons = prepared(
  (_db, { courseId, limit }: { courseId: string; limit: number }) => sql<StoredLesson>`
    select ${lessonColumns} from course join ${lessonTables} on o.calendar_id = course.calendar_id
    where course.id = ${courseId} and ${isToCome} order by o.starts_at limit ${limit}`,
)
/** The next lessons of a course. */
export async function listLessons(platform: Platform, courseId: string, limit: number) {
  const places = await listAllPlaces(platform)
  const lessons = await selectLessons(platform.db, { courseId, limit })
  return lessons.map((lesson) => withEnglishRoom(lesson, places))
}

const withEnglishRoom = (lesson: StoredLesson, places: readonly Place[]): StudyLesson => ({
  ...lesson,
  locationEn: roomInEnglish(lesson.location, places),
})

type StoredCourse = Omit<Course, 'next'> & { next: StoredLesson | null }
type CourseFilter = { termId?: string; courseId?: string }
const selectCourses = prepared(
  (_db, { accountId, termId, courseId }: CourseFilter & { accountId: string }) => sql<StoredCourse>`
    select course.id, course.code, course.name, course.name_en as "nameEn", calendar.color, member.role,
      teachers.list as teachers, study.credits::float8 as credits, next.lesson as next, people.students,
      case member.role when 'attends' then work.count - work.handed else 0 end as open,
      case when member.role = 'attends' and work.count + material.count > 0
        then (100 * (work.handed + material.seen) / (work.count + material.count))::integer end as progress,
      total.mark as total
    from calendar_member member
    join course on course.calendar_id = member.calendar_id
    join calendar on calendar.id = course.calendar_id
    left join study_course study on study.course_id = course.id
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('name', person.name, 'nameEn', person.name_en) order by teacher.account_id), '[]') as list
      from (select account_id from calendar_member where calendar_id = course.calendar_id and role = 'teaches'
        order by account_id limit 5) teacher
      join account on account.id = teacher.account_id join person on person.id = account.person_id) teachers
    cross join lateral (
      select count(*)::integer as students from calendar_member one
      where one.calendar_id = course.calendar_id and one.role = 'attends') people
    cross join lateral (
      select count(*)::integer as count, count(result.handed_at)::integer as handed
      from study_assignment assignment
      left join study_result result on (result.assignment_id, result.account_id) = (assignment.id, member.account_id)
      where assignment.course_id = course.id and assignment.kind = 'work') work
    cross join lateral (
      select count(*)::integer as count, count(seen.material_id)::integer as seen
      from study_material material
      left join study_seen seen on (seen.account_id, seen.material_id) = (member.account_id, material.id)
      where material.course_id = course.id) material
    left join lateral (
      select ${markOf} as mark from study_assignment assignment
      join study_result result on result.assignment_id = assignment.id
      where assignment.course_id = course.id and assignment.kind = 'total' and result.account_id = member.account_id) total on true
    left join lateral (
      select jsonb_build_object('courseId', course.id::text, 'eventId', event.id::text, 'title', event.title,
        'titleEn', event.title_en, 'location', coalesce(changed.location, event.location),
        'startsAt', to_char(o.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'endsAt', to_char(o.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as lesson
      from ${lessonTables} where o.calendar_id = course.calendar_id and ${isToCome}
      order by o.starts_at limit 1) next on true
    where member.account_id = ${accountId}
      and ${courseId ? sql`course.id = ${courseId}` : sql`course.term_id = ${termId}`}
    order by member.role desc, course.name, course.id limit ${maxCourses}`,
)

/** Courses the member attends or teaches: those of a term, or a single one. */
export async function listCourses(
  platform: Platform,
  accountId: string,
  filter: { termId: string } | { courseId: string },
): Promise<Course[]> {
  const places = await listAllPlaces(platform)
  const courses = await selectCourses(platform.db, { accountId, ...filter })
  return courses.map(({ next, ...course }) => ({
    ...course,
    next: next && withEnglishRoom(next, places),
  }))
}

type Viewpoint = { accountId: string; teaches: boolean }
/**
 * Assignments as seen by a student, or by a teacher if `teaches` is set.
 * @param condition on `assignment` and the caller's `result`
 */
const assignmentsOf = (
  accountId: string,
  teaches: true | undefined,
  condition: ReturnType<typeof sql>,
  order: ReturnType<typeof sql>,
  limit: number,
) => sql<Assignment>`
    select assignment.id, course.id as "courseId", course.name as "courseName", course.name_en as "courseNameEn",
      assignment.kind, assignment.title, assignment.title_en as "titleEn", assignment.text, assignment.due_at as "dueAt",
      assignment.points::float8 as points, assignment.url, result.task_id as "taskId", result.handed_at as "handedAt",
      case when result.handed_at is null and result.sent_back_at is not null then result.sent_back_note end as "sentBack",
      ${markOf} as mark,
      ${
        teaches
          ? sql`(select count(handed_at)::integer from study_result handed where handed.assignment_id = assignment.id)`
          : sql`0`
      } as handed
    from study_assignment assignment
    join course on course.id = assignment.course_id
    join calendar_member member on member.calendar_id = course.calendar_id and member.account_id = ${accountId}
    left join study_result result on result.assignment_id = assignment.id and result.account_id = ${accountId}
    where ${condition} order by ${order} limit ${limit}`

const selectOfCourse = prepared(
  (_db, values: { accountId: string; courseId: string; teaches: true | undefined }) =>
    assignmentsOf(
      values.accountId,
      values.teaches && true,
      // Students see a gradebook column only once their mark is published.
      sql`course.id = ${values.courseId}${
        values.teaches
          ? sql``
          : sql` and (assignment.kind = 'work' or result.published_at is not null)`
      }`,
      sql`assignment.kind = 'total', assignment.due_at nulls last, assignment.id`,
      200,
    ),
)
/** Assignments of a course: by due date, the total mark last. */
export const listCourseAssignments = (
  db: Db,
  { accountId, teaches }: Viewpoint,
  courseId: string,
) => selectOfCourse(db, { accountId, courseId, teaches: teaches || undefined })

const selectDue = prepared((_db, { accountId }: { accountId: string }) =>
  assignmentsOf(
    accountId,
    undefined,
    sql`member.role = 'attends' and assignment.kind = 'work' and result.handed_at is null
      and assignment.due_at > now() - interval '28 days'`,
    sql`assignment.due_at, assignment.id`,
    10,
  ),
)
/** Work not handed in; due dates more than four weeks ago are omitted. */
export const listDueWork = (db: Db, accountId: string) => selectDue(db, { accountId })

const selectMarks = prepared((_db, { accountId }: { accountId: string }) =>
  assignmentsOf(
    accountId,
    undefined,
    sql`result.published_at is not null`,
    sql`result.published_at desc, assignment.id desc`,
    5,
  ),
)
export const listMarks = (db: Db, accountId: string) => selectMarks(db, { accountId })

export async function countCredits(db: Db, accountId: string, termId: string | undefined) {
  const { rows } = await sql<{ enrolled: number; earned: number }>`
    select coalesce(sum(study.credits) filter (where course.term_id = ${termId ?? null}), 0)::float8 as enrolled,
      coalesce(sum(study.credits) filter (where exists (
        select from study_assignment assignment join study_result result on result.assignment_id = assignment.id
        where assignment.course_id = course.id and assignment.kind = 'total' and result.account_id = member.account_id
          and result.published_at is not null and result.score >= assignment.points * ${minPassShare}::numeric)), 0)::float8 as earned
    from calendar_member member join course on course.calendar_id = member.calendar_id
    join study_course study on study.course_id = course.id
    where member.account_id = ${accountId} and member.role = 'attends'`.execute(db)
  return rows[0] ?? { enrolled: 0, earned: 0 }
}

type Membership = {
  role: 'attends' | 'teaches'
  calendarId: string
  name: string
  nameEn: string
  term: TermRow
  about: string
  aboutEn: string
}
type OfMember = { accountId: string; courseId: string }
const selectPart = prepared(
  (_db, { accountId, courseId }: OfMember) => sql<Membership>`
    select member.role, course.calendar_id as "calendarId", course.name, course.name_en as "nameEn",
      coalesce(study.about, '') as about, coalesce(study.about_en, '') as "aboutEn",
      jsonb_build_object('id', term.id::text, 'code', coalesce(term.code, term.starts_on::text), 'name', term.name,
        'name_en', term.name_en, 'starts_on', term.starts_on, 'weeks', term.weeks) as term
    from course join calendar_member member on member.calendar_id = course.calendar_id
    join academic_term term on term.id = course.term_id
    left join study_course study on study.course_id = course.id
    where course.id = ${courseId} and member.account_id = ${accountId}`,
)
/** A member's role in a course and its details; undefined if not in it. */
export const findMembership = async (db: Db, accountId: string, courseId: string) =>
  (await selectPart(db, { accountId, courseId }))[0]

type OfCourse = { courseId: string }
const selectUnits = prepared((db, { courseId }: OfCourse) =>
  db
    .selectFrom('study_unit')
    .select(['id', 'week', 'title', 'title_en as titleEn', 'text'])
    .where('course_id', '=', courseId)
    .orderBy('position')
    .orderBy('id')
    .limit(200),
)
export const listUnits = (db: Db, courseId: string) => selectUnits(db, { courseId })

type Material = {
  id: string
  unitId: string | null
  kind: 'file' | 'link' | 'tool'
  title: string
  titleEn: string
  url: string
  fileId: string | null
  fileName: string | null
  isPublic: boolean | null
  mediaType: string | null
  byteSize: number | null
  seen: boolean
}
const selectMaterials = prepared(
  (_db, { accountId, courseId }: OfMember) => sql<Material>`
    select material.id, material.unit_id as "unitId", material.kind, material.title, material.title_en as "titleEn", material.url,
      file.id as "fileId", file.name as "fileName", file.is_public as "isPublic", file.media_type as "mediaType",
      file.byte_size::float8 as "byteSize", seen.account_id is not null as seen
    from study_material material
    left join file on file.id = material.file_id and file.scanned
    left join study_seen seen on (seen.account_id, seen.material_id) = (${accountId}::bigint, material.id)
    where material.course_id = ${courseId} order by material.position, material.id limit 500`,
)
export const listMaterials = (db: Db, accountId: string, courseId: string) =>
  selectMaterials(db, { accountId, courseId })

const selectAnnouncements = prepared((db, { courseId }: OfCourse) =>
  db
    .selectFrom('study_announcement')
    .select(['id', 'title', 'text', 'author', 'author_en as authorEn', 'created_at as createdAt'])
    .where('course_id', '=', courseId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(20),
)
export const listAnnouncements = (db: Db, courseId: string) => selectAnnouncements(db, { courseId })

/** @returns whether it is a material of one of the member's courses */
export async function markMaterialSeen(
  db: Db,
  accountId: string,
  materialId: string,
): Promise<boolean> {
  const { rows } = await sql`
    with found as (
      select material.id from study_material material join course on course.id = material.course_id
      join calendar_member member on member.calendar_id = course.calendar_id
      where material.id = ${materialId} and member.account_id = ${accountId}
    ), written as (
      insert into study_seen (account_id, material_id) select ${accountId}, id from found on conflict do nothing
    )
    select from found`.execute(db)
  return rows.length > 0
}
