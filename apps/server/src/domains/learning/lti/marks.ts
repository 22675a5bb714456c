import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Secret } from '#platform/secret.ts'
import { subjectOf } from './launch.ts'

export type LineItem = {
  id: string
  label: string
  points: number
  tag: string
  resourceId: string
  /** material of the link it belongs to */
  materialId: string | null
}
const selectItems = (condition: ReturnType<typeof sql>) => sql<LineItem>`
  select assignment.id, assignment.title as label, assignment.points::float8 as points, item.tag, item.resource_id as "resourceId",
    (select link.material_id from lti_link link where link.assignment_id = assignment.id limit 1) as "materialId"
  from lti_line_item item join study_assignment assignment on assignment.id = item.assignment_id
  where ${condition} order by assignment.id limit 200`

/** SQL condition: the course contains the tool. @param courseId a column or value */
export const hasTool = (courseId: unknown, toolId: string) => sql<boolean>`exists (
  select from lti_link link join study_material material on material.id = link.material_id
  where link.tool_id = ${toolId} and material.course_id = ${courseId})`

/** A tool's line items in a course, without those of other tools. */
export const listLineItems = async (db: Db, toolId: string, courseId: string) =>
  (
    await selectItems(sql`item.tool_id = ${toolId} and assignment.course_id = ${courseId}`).execute(
      db,
    )
  ).rows

/** The line item, if its course still contains the tool. */
export async function findLineItem(db: Db, toolId: string, id: string) {
  const condition = sql`item.tool_id = ${toolId} and assignment.id = ${id}
    and ${hasTool(sql.ref('assignment.course_id'), toolId)}`
  const { rows } = await selectItems(condition).execute(db)
  return rows[0]
}

type Score = {
  userId?: unknown
  scoreGiven?: unknown
  scoreMaximum?: unknown
  comment?: unknown
  timestamp?: unknown
  activityProgress?: unknown
  gradingProgress?: unknown
}

/**
 * Stores a score sent by a tool, scaled to the points of the column. It is published once its grading is final; a score
 * older than the stored one is ignored.
 */
export async function writeScore(
  db: Db,
  secret: Secret,
  toolId: string,
  item: LineItem,
  body: unknown,
): Promise<'written' | 'invalid' | 'unknown' | 'older'> {
  const score = (body ?? {}) as Score
  const timestampMs = Date.parse(String(score.timestamp))
  const givenScore = score.scoreGiven === undefined ? null : Number(score.scoreGiven)
  const maxScore = Number(score.scoreMaximum)
  const isInvalid =
    Number.isNaN(timestampMs) ||
    (givenScore !== null && !(Number.isFinite(givenScore) && givenScore >= 0 && maxScore > 0)) ||
    typeof score.activityProgress !== 'string' ||
    typeof score.gradingProgress !== 'string'
  if (isInvalid) return 'invalid'
  const { rows: people } = await sql<{ id: string }>`
    select member.account_id as id from study_assignment assignment join course on course.id = assignment.course_id
    join calendar_member member on member.calendar_id = course.calendar_id and member.role = 'attends'
    where assignment.id = ${item.id}`.execute(db)
  const person = people.find(({ id }) => subjectOf(secret, toolId, id) === score.userId)
  if (!person) return 'unknown'
  const value =
    givenScore === null ? null : Math.round(((givenScore * item.points) / maxScore) * 100) / 100
  const isFinal = score.gradingProgress === 'FullyGraded' && value !== null
  const isSubmitted = ['Submitted', 'Completed'].includes(String(score.activityProgress))
  const markedAt = new Date(timestampMs).toISOString()
  const comment = typeof score.comment === 'string' ? score.comment.slice(0, 2000) : ''
  const { rows } = await sql`
    insert into study_result as known (assignment_id, account_id, handed_at, score, feedback, marked_at, published_at)
    values (${item.id}, ${person.id}, ${isSubmitted ? markedAt : null}, ${value}, ${comment}, ${markedAt}, ${isFinal ? markedAt : null})
    on conflict (assignment_id, account_id) do update set handed_at = coalesce(known.handed_at, excluded.handed_at),
      score = excluded.score, feedback = excluded.feedback, marked_at = excluded.marked_at, published_at = excluded.published_at
    where known.marked_at is null or known.marked_at <= excluded.marked_at
    returning account_id`.execute(db)
  return rows.length > 0 ? 'written' : 'older'
}

export async function listResults(db: Db, assignmentId: string) {
  const { rows } = await sql<{ accountId: string; score: number | null; comment: string }>`
    select account_id as "accountId", score::float8 as score, feedback as comment from study_result
    where assignment_id = ${assignmentId} and marked_at is not null order by account_id limit 2000`.execute(
    db,
  )
  return rows
}
