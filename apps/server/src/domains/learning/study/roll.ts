import type { Roll } from '@atrium/contract/learning/study-teaching'
import { sql } from 'kysely'
import { type Db, prepared } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import { cursorPage, cursorShapes, pageSizeOf, readCursor } from '#platform/http/paging.ts'
import {
  checkCode,
  codeAt,
  recordWrongCode,
  retryDelay,
  stepEndsAt,
  stepOf,
  wrongCodeCount,
} from '#platform/live-code.ts'
import type { Secret } from '#platform/secret.ts'

/** The secret key of a roll, derived and not stored. */
export const rollKey = (secret: Secret, rollId: string) => secret.sign('study-roll', rollId)

type RollRow = Omit<Roll, 'code' | 'codeUntil'>
const selectRolls = (condition: ReturnType<typeof sql>, limit = 1) => sql<RollRow>`
  select roll.id, roll.course_id as "courseId", roll.opened_at as "openedAt", roll.late_at as "lateAt",
    roll.closes_at as "closesAt", roll.ended_at as "endedAt", counts.present, counts.late, counts.absent, counts.excused,
    (select count(*)::integer from calendar_member member
      where member.calendar_id = course.calendar_id and member.role = 'attends') as students
  from study_attendance roll join course on course.id = roll.course_id
  cross join lateral (
    select count(*) filter (where state = 'present')::integer as present, count(*) filter (where state = 'late')::integer as late,
      count(*) filter (where state = 'absent')::integer as absent, count(*) filter (where state = 'excused')::integer as excused
    from study_attended attended where attended.attendance_id = roll.id) counts
  where ${condition} order by roll.opened_at desc, roll.id desc limit ${limit}`
const taughtBy = (accountId: string) =>
  sql`exists (select from calendar_member member
    where member.calendar_id = course.calendar_id and member.account_id = ${accountId} and member.role = 'teaches')`

function withCode(secret: Secret, row: RollRow): Roll {
  const now = Date.now()
  if (row.endedAt || Date.parse(row.closesAt) <= now) return { ...row, code: '', codeUntil: null }
  const step = stepOf(now)
  return {
    ...row,
    code: codeAt(rollKey(secret, row.id), step),
    codeUntil: new Date(stepEndsAt(step)).toISOString(),
  }
}

/** A roll of a course the caller teaches. */
export async function findRoll(db: Db, secret: Secret, accountId: string, id: string) {
  const { rows } = await selectRolls(sql`roll.id = ${id} and ${taughtBy(accountId)}`).execute(db)
  return rows[0] && withCode(secret, rows[0])
}

export async function listRolls(
  db: Db,
  secret: Secret,
  courseId: string,
  query: { cursor?: string; pageSize?: number },
) {
  const pageSize = pageSizeOf(query)
  const after = readCursor(query.cursor, [cursorShapes.id])
  // Ids increase over time.
  const { rows } = await selectRolls(
    sql`roll.course_id = ${courseId} ${after ? sql`and roll.id < ${after[0]}::bigint` : sql``}`,
    pageSize + 1,
  ).execute(db)
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.id],
    (row) => withCode(secret, row),
  )
}

/** Opens a roll unless one is open. @returns the id of the open roll */
export async function openRoll(
  db: Db,
  courseId: string,
  accountId: string,
  { minutes, lateAfter }: { minutes: number; lateAfter: number },
): Promise<string> {
  await endDueRolls(db, courseId)
  await sql`
    insert into study_attendance (course_id, opened_by_account_id, late_at, closes_at, lesson_at)
    select ${courseId}, ${accountId}, now() + make_interval(mins => ${lateAfter}), now() + make_interval(mins => ${minutes}), (
      select o.starts_at from course join event_occurrence o on o.calendar_id = course.calendar_id
      where course.id = ${courseId} and not o.long and o.starts_at between now() - interval '6 hours' and now() + interval '30 minutes'
        and o.ends_at > now() - interval '30 minutes'
        and exists (select from lesson_event taught where taught.event_id = o.event_id)
      order by abs(extract(epoch from o.starts_at - now())) limit 1)
    on conflict (course_id) where ended_at is null do nothing`.execute(db)
  const { id } = await db
    .selectFrom('study_attendance')
    .select('id')
    .where('course_id', '=', courseId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return id
}

/** Ends rolls; people without an answer are marked absent. */
async function endRolls(db: Db, condition: ReturnType<typeof sql>) {
  await sql`
    with ended as (
      update study_attendance roll set ended_at = least(now(), closes_at) where ended_at is null and ${condition}
      returning id, course_id
    )
    insert into study_attended as known (attendance_id, account_id, state)
    select ended.id, member.account_id, 'absent'
    from ended join course on course.id = ended.course_id
    join calendar_member member on member.calendar_id = course.calendar_id and member.role = 'attends'
    order by 1, 2
    on conflict (attendance_id, account_id) do update set state = 'absent' where known.state is null`.execute(
    db,
  )
}
export const endRoll = (db: Db, id: string) => endRolls(db, sql`roll.id = ${id}`)
/** Ends rolls whose time is over. */
export const endDueRolls = (db: Db, courseId?: string) =>
  endRolls(
    db,
    sql`closes_at <= now() ${courseId === undefined ? sql`` : sql`and roll.course_id = ${courseId}`}`,
  )

type OfMember = { courseId: string; accountId: string }
type OpenRoll = { id: string; state: string | null; wrong: number; isLate: boolean }
const selectOpenRoll = prepared(
  (_db, { courseId, accountId }: OfMember) => sql<OpenRoll>`
    select roll.id, attended.state, coalesce(${wrongCodeCount}, 0) as wrong, now() > roll.late_at as "isLate"
    from study_attendance roll
    left join study_attended attended on attended.attendance_id = roll.id and attended.account_id = ${accountId}
    where roll.course_id = ${courseId} and roll.ended_at is null and roll.closes_at > now()`,
)
/** The open roll of a course, with the caller's state on it. */
export const findOpenRoll = async (db: Db, courseId: string, accountId: string) =>
  (await selectOpenRoll(db, { courseId, accountId }))[0]

type Answer = { courseId: string; accountId: string; code: string; device: string | undefined }
/**
 * Enters a student with the displayed code.
 * @returns the state, or the reason of refusal, whose attempt is counted
 */
export async function answerRoll(
  db: Db,
  secret: Secret,
  { courseId, accountId, code, device }: Answer,
): Promise<'present' | 'late' | { refused: 'study.code_late' | 'study.code_wrong' }> {
  const current = (await findOpenRoll(db, courseId, accountId)) ?? fail('study.roll_over')
  // Locks the student's row: serialises concurrent attempts for this account.
  await sql`
    insert into study_attended (attendance_id, account_id) values (${current.id}, ${accountId}) on conflict do nothing`.execute(
    db,
  )
  await sql`
    select from study_attended where attendance_id = ${current.id} and account_id = ${accountId} for update`.execute(
    db,
  )
  const roll = (await findOpenRoll(db, courseId, accountId)) ?? fail('study.roll_over')
  if (roll.state) fail('study.already_present')
  const retryAfter = retryDelay(roll.wrong)
  if (retryAfter) fail('request.too_many', { retryAfter })
  const verdict = checkCode(rollKey(secret, roll.id), code, Date.now())
  if (verdict !== 'good') {
    await sql`
      update study_attended set ${recordWrongCode}
      where attendance_id = ${roll.id} and account_id = ${accountId}`.execute(db)
    return { refused: verdict === 'late' ? 'study.code_late' : 'study.code_wrong' }
  }
  const state = roll.isLate ? 'late' : 'present'
  if (device) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`roll ${roll.id} ${device}`}, 0))`.execute(
      db,
    )
    const { rows } = await sql`
      select from study_attended where attendance_id = ${roll.id} and device = ${device} and account_id <> ${accountId}`.execute(
      db,
    )
    if (rows.length > 0) fail('study.device_used')
  }
  await sql`
    update study_attended set state = ${state}, device = ${device ?? null}, at = now()
    where attendance_id = ${roll.id} and account_id = ${accountId}`.execute(db)
  return state
}

/** @returns false if not a student of the course */
export async function setAttended(
  db: Db,
  roll: Pick<Roll, 'id' | 'courseId'>,
  accountId: string,
  state: string,
): Promise<boolean> {
  const { rows } = await sql`
    insert into study_attended as known (attendance_id, account_id, state, by_teacher)
    select ${roll.id}, member.account_id, ${state}, true
    from course join calendar_member member on member.calendar_id = course.calendar_id
    where course.id = ${roll.courseId} and member.account_id = ${accountId} and member.role = 'attends'
    on conflict (attendance_id, account_id) do update set state = excluded.state, by_teacher = true, at = now()
    returning account_id`.execute(db)
  return rows.length > 0
}

type OwnCounts = { present: number; late: number; absent: number; excused: number }
const selectOwnCounts = prepared(
  (_db, { courseId, accountId }: OfMember) => sql<OwnCounts>`
    select count(*) filter (where state = 'present')::integer as present, count(*) filter (where state = 'late')::integer as late,
      count(*) filter (where state = 'absent')::integer as absent, count(*) filter (where state = 'excused')::integer as excused
    from study_attendance roll join study_attended attended on attended.attendance_id = roll.id
    where roll.course_id = ${courseId} and attended.account_id = ${accountId}`,
)
/** A member's attendance counts in a course. */
export const countOwnAttendance = async (
  db: Db,
  courseId: string,
  accountId: string,
): Promise<OwnCounts> =>
  (await selectOwnCounts(db, { courseId, accountId }))[0] ?? {
    present: 0,
    late: 0,
    absent: 0,
    excused: 0,
  }
