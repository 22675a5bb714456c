import type { Attendant, RollLine, rollStates } from '@atrium/contract/learning/study-teaching'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { cursorPage, cursorShapes, pageSizeOf, readCursor } from '#platform/http/paging.ts'

type Page = { cursor?: string; pageSize?: number }
const person = sql`person.name, person.name_en as "nameEn", account.username, organization.name as organization,
  organization.name_en as "organizationEn"`
const students = sql`calendar_member member
  join account on account.id = member.account_id
  join person on person.id = account.person_id
  join organization on organization.id = account.organization_id`

/** Students of a course by username, with their attendance counts. */
export async function listAttendants(db: Db, courseId: string, calendarId: string, query: Page) {
  const pageSize = pageSizeOf(query)
  const after = readCursor(query.cursor, [/^.{1,128}$/])
  const { rows } = await sql<Attendant>`
    select account.id as "accountId", ${person}, counts.*
    from ${students}
    cross join lateral (
      select count(*) filter (where state = 'present')::integer as present, count(*) filter (where state = 'late')::integer as late,
        count(*) filter (where state = 'absent')::integer as absent, count(*) filter (where state = 'excused')::integer as excused
      from study_attended attended join study_attendance roll on roll.id = attended.attendance_id
      where attended.account_id = account.id and roll.course_id = ${courseId}) counts
    where member.calendar_id = ${calendarId} and member.role = 'attends'
      ${after ? sql`and account.username > ${after[0]}` : sql``}
    order by account.username limit ${pageSize + 1}`.execute(db)
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.username],
    (row) => row,
  )
}

/** People on a roll: latest answers first, then those without an answer. */
export async function listRollPeople(
  db: Db,
  rollId: string,
  query: Page & { state?: (typeof rollStates)[number] },
) {
  const { state = 'all' } = query
  const pageSize = pageSizeOf(query)
  const after = readCursor(query.cursor, [/^\d{1,20}$/, cursorShapes.id])
  const ofState =
    state === 'all'
      ? sql`true`
      : state === 'missing'
        ? sql`attended.state is null`
        : sql`attended.state = ${state}`
  // A single descending sort key in microseconds, with or without an answer.
  const since = sql`(4e15 - case when attended.state is null then 0 else extract(epoch from attended.at) * 1e6 end)::bigint`
  const { rows } = await sql<RollLine & { since: string }>`
    select * from (
      select account.id as "accountId", ${person}, attended.state, coalesce(attended.by_teacher, false) as "byTeacher",
        case when attended.state is not null then attended.at end as at, ${since} as since
      from study_attendance roll join course on course.id = roll.course_id
      join (${students}) on member.calendar_id = course.calendar_id and member.role = 'attends'
      left join study_attended attended on attended.attendance_id = roll.id and attended.account_id = account.id
      where roll.id = ${rollId} and ${ofState}
    ) line
    ${after ? sql`where (since, "accountId") > (${after[0]}::bigint, ${after[1]}::bigint)` : sql``}
    order by since, "accountId" limit ${pageSize + 1}`.execute(db)
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.since, row.accountId],
    ({ since: _, ...row }): RollLine => row,
  )
}
