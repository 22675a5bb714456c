import type { ManagedQuestion, questionStates } from '@atrium/contract/discovery/knowledge.operator'
import { type RawBuilder, sql } from 'kysely'
import { type Rule, visibleTo } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member, Viewer } from '#platform/http/guard.ts'
import {
  cursorPage,
  cursorShapes,
  exactTime,
  pageSizeOf,
  pattern,
  readCursor,
} from '#platform/http/paging.ts'
import { operatedIn } from '#platform/permissions.ts'

/** Condition: online and within its validity period. */
const isShownNow = sql<boolean>`knowledge_question.online
  and (knowledge_question.valid_from is null or knowledge_question.valid_from <= now())
  and (knowledge_question.valid_until is null or knowledge_question.valid_until > now())`

const selectQuestions = (db: Db) =>
  db
    .selectFrom('knowledge_question')
    .leftJoin('organization', 'organization.id', 'knowledge_question.organization_id')
    .select([
      'knowledge_question.id',
      'knowledge_question.question',
      'knowledge_question.question_en as questionEn',
      'knowledge_question.answer',
      'knowledge_question.answer_en as answerEn',
      'knowledge_question.url',
      'knowledge_question.updated_at as updatedAt',
      'knowledge_question.reviewed_at as reviewedAt',
      sql<string>`coalesce(organization.name, '')`.as('departmentName'),
      sql<string>`coalesce(organization.name_en, '')`.as('departmentNameEn'),
    ])

/** A question this viewer may see now; a hidden one looks like a missing one. */
export const findQuestion = (db: Db, viewer: Viewer, id: string) =>
  selectQuestions(db)
    .where('knowledge_question.id', '=', id)
    .where(visibleTo(viewer, 'knowledge_question.audience_id'))
    .where(isShownNow)
    .executeTakeFirst()

/** The questions asked most among those this viewer may see, then the most recently changed. */
export const listHotQuestions = (db: Db, viewer: Viewer, limit: number) =>
  db
    .selectFrom('knowledge_question')
    .select([
      'knowledge_question.id',
      'knowledge_question.question',
      'knowledge_question.question_en as questionEn',
    ])
    .where(visibleTo(viewer, 'knowledge_question.audience_id'))
    .where(isShownNow)
    .orderBy(
      sql`(select coalesce(sum(use.asked), 0) from knowledge_use use
        where use.question_id = knowledge_question.id and use.day > current_date - 30)`,
      'desc',
    )
    .orderBy('knowledge_question.updated_at', 'desc')
    .orderBy('knowledge_question.id')
    .limit(limit)
    .execute()

/** Counts a use or a rating of an answer, anonymously. */
export async function countUse(
  db: Db,
  questionId: string,
  counter: 'asked' | 'helpful' | 'unhelpful',
): Promise<void> {
  await sql`
    insert into knowledge_use (question_id, day, ${sql.ref(counter)}) values (${questionId}, current_date, 1)
    on conflict (question_id, day) do update set ${sql.ref(counter)} = ${sql.ref(`knowledge_use.${counter}`)} + 1`.execute(
    db,
  )
}

// ---- operators ----

/** Condition that a question is in the viewer's scope; `organization` is the question's. */
function operatedCondition(viewer: Member): RawBuilder<boolean> {
  const codes = operatedIn(viewer, 'content')
  return codes === null
    ? sql<boolean>`true`
    : sql<boolean>`organization.path && ${codes as string[]}::text[]`
}

const stateConditions: Record<(typeof questionStates)[number], RawBuilder<boolean>> = {
  shown: isShownNow,
  due: sql<boolean>`knowledge_question.review_on <= current_date`,
  outside: sql<boolean>`(knowledge_question.valid_from > now() or knowledge_question.valid_until <= now())`,
  hidden: sql<boolean>`not knowledge_question.online`,
}
const lastMonth = (column: 'asked' | 'helpful' | 'unhelpful') =>
  sql<number>`(select coalesce(sum(${sql.ref(column)}), 0)::integer from knowledge_use
    where question_id = knowledge_question.id and day > current_date - 30)`.as(column)

type Filter = {
  state?: (typeof questionStates)[number]
  keyWords?: string
  cursor?: string
  pageSize?: number
}
const cursorShape = [cursorShapes.time, cursorShapes.id]

/** @param id only this question */
export async function listManaged(db: Db, viewer: Member, filter: Filter, id?: string) {
  const [time, after] = readCursor(filter.cursor, cursorShape) ?? []
  const pageSize = pageSizeOf(filter)
  let query = selectQuestions(db)
    .innerJoin('audience', 'audience.id', 'knowledge_question.audience_id')
    .leftJoin('account as owner', 'owner.id', 'knowledge_question.owner_account_id')
    .select([
      'knowledge_question.revision',
      'knowledge_question.wordings',
      'knowledge_question.online',
      'knowledge_question.valid_from as validFrom',
      'knowledge_question.valid_until as validUntil',
      'knowledge_question.source',
      'organization.code as organization',
      'owner.username as owner',
      'audience.rules',
      sql<string | null>`knowledge_question.review_on::text`.as('reviewOn'),
      exactTime('knowledge_question.updated_at').as('exact'),
      lastMonth('asked'),
      lastMonth('helpful'),
      lastMonth('unhelpful'),
    ])
    .where(operatedCondition(viewer))
  if (id) query = query.where('knowledge_question.id', '=', id)
  if (filter.state) query = query.where(stateConditions[filter.state])
  if (filter.keyWords?.trim()) {
    const likePattern = pattern(filter.keyWords)
    query = query.where(
      sql<boolean>`lower(concat_ws(' ', knowledge_question.question, knowledge_question.question_en,
        knowledge_question.answer, knowledge_question.answer_en, array_to_string(knowledge_question.wordings, ' '))) like ${likePattern}`,
    )
  }
  if (time)
    query = query.where(
      sql<boolean>`(knowledge_question.updated_at, knowledge_question.id) < (${time}::timestamptz, ${after}::bigint)`,
    )
  const rows = await query
    .orderBy('knowledge_question.updated_at', 'desc')
    .orderBy('knowledge_question.id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.exact, row.id],
    ({ exact: _exact, rules, ...row }): ManagedQuestion => ({
      ...row,
      audience: (rules as Rule[])
        // Rules for single accounts cannot be edited here and are omitted.
        .filter((rule) => rule.kind !== 'account')
        .map((rule) => ({ target: '', ...rule })) as ManagedQuestion['audience'],
    }),
  )
}

export type QuestionValues = {
  question: string
  question_en: string
  answer: string
  answer_en: string
  wordings: string[]
  url: string
  organization_id: string | null
  owner_account_id: string | null
  audience_id: number
  online: boolean
  valid_from: string | null
  valid_until: string | null
  review_on: string | null
}

/** @returns its id */
export const insertQuestion = async (db: Db, values: QuestionValues) =>
  (
    await db
      .insertInto('knowledge_question')
      .values({ ...values, reviewed_at: sql`now()` })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

/** @returns whether the revision was still current */
export async function updateQuestion(
  db: Db,
  id: string,
  revision: number,
  values: QuestionValues | Pick<QuestionValues, 'review_on'>,
) {
  const changed = await db
    .updateTable('knowledge_question')
    .set({
      ...values,
      revision: sql`revision + 1`,
      reviewed_at: sql`now()`,
      ...('answer' in values && { updated_at: sql`now()` }),
    })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

export const deleteQuestion = (db: Db, id: string) =>
  db.deleteFrom('knowledge_question').where('id', '=', id).execute()

/** Questions to be reviewed today, grouped by owner. */
export const listDueReviews = (db: Db, day: string) =>
  db
    .selectFrom('knowledge_question')
    .innerJoin('account', 'account.id', 'knowledge_question.owner_account_id')
    .select([
      'knowledge_question.owner_account_id as accountId',
      sql<string[]>`array_agg(knowledge_question.question order by knowledge_question.id)`.as(
        'questions',
      ),
    ])
    .where('knowledge_question.online', '=', true)
    .where(sql<boolean>`knowledge_question.review_on = ${day}::date`)
    .where('account.status', '=', 'active')
    .groupBy('knowledge_question.owner_account_id')
    .execute()

/** Deletes counts older than a year. */
export const deleteOldUse = (db: Db) =>
  sql`delete from knowledge_use where day < current_date - 365`.execute(db)
