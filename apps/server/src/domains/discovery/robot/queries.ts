import type {
  AnswerPart,
  AnswerSource,
  Dialog,
  DialogLine,
  outcomes,
  Proposal,
} from '@atrium/contract/discovery/robot'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import {
  cursorPage,
  cursorShapes,
  exactTime,
  pageSizeOf,
  readCursor,
} from '#platform/http/paging.ts'

/** Answer data of a robot's line. */
export type Answer = {
  parts: AnswerPart[]
  sources: AnswerSource[]
  ways: AnswerSource[]
  followUps: string[]
  proposals: Proposal[]
  outcome: (typeof outcomes)[number]
  byModel: boolean
  notice: DialogLine['notice']
}
export const noAnswer: Omit<Answer, 'outcome'> = {
  parts: [],
  sources: [],
  ways: [],
  followUps: [],
  proposals: [],
  byModel: false,
  notice: null,
}

const dialogColumns = ['id', 'title', 'state', 'score', 'last_at as lastAt'] as const
type DialogRow = Omit<Dialog, 'state'> & { state: string }
const toDialog = (row: DialogRow) => row as Dialog

/** A dialog of this member. */
export async function findDialog(db: Db, accountId: string, id: string) {
  const row = await db
    .selectFrom('dialog')
    .select(dialogColumns)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && toDialog(row)
}

/** Whether people answer in a dialog, or will. */
export const isAtDesk = ({ state }: Pick<Dialog, 'state'>) =>
  state === 'waiting' || state === 'agent'

/**
 * Locks a dialog. Call it first in every transaction that writes in a dialog at a desk: the state read afterwards is
 * current, and all of them lock the dialog before its case.
 */
export const lockDialog = (db: Db, id: string) =>
  db.selectFrom('dialog').select('id').where('id', '=', id).forNoKeyUpdate().execute()

export async function listDialogs(
  db: Db,
  accountId: string,
  query: { cursor?: string; pageSize?: number },
) {
  const [time, after] = readCursor(query.cursor, [cursorShapes.time, cursorShapes.id]) ?? []
  const pageSize = pageSizeOf(query)
  const rows = await db
    .selectFrom('dialog')
    .select(dialogColumns)
    .select(exactTime('last_at').as('exact'))
    .where('account_id', '=', accountId)
    .$if(time !== undefined, (select) =>
      select.where(sql<boolean>`(last_at, id) < (${time}::timestamptz, ${after}::bigint)`),
    )
    .orderBy('last_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.exact, row.id],
    ({ exact: _exact, ...row }) => toDialog(row),
  )
}

export const insertDialog = async (db: Db, accountId: string, title: string) =>
  toDialog(
    await db
      .insertInto('dialog')
      .values({ account_id: accountId, title })
      .returning(dialogColumns)
      .executeTakeFirstOrThrow(),
  )

const selectLines = (db: Db) =>
  db
    .selectFrom('dialog_line as line')
    .leftJoin('account as agent', 'agent.id', 'line.agent_account_id')
    .leftJoin('person', 'person.id', 'agent.person_id')
    .select([
      'line.id',
      'line.author',
      'line.text',
      'line.text_en as textEn',
      'line.answer',
      'line.helpful',
      'line.created_at as at',
      sql<string>`coalesce(person.name, '')`.as('agentName'),
      sql<string>`coalesce(person.name_en, '')`.as('agentNameEn'),
    ])
type LineRow = Awaited<ReturnType<ReturnType<typeof selectLines>['execute']>>[number]

function toLine({ answer, author, ...row }: LineRow): DialogLine {
  const { outcome = null, proposals = [], ...rest } = (answer ?? {}) as Partial<Answer>
  return {
    ...row,
    author: author as DialogLine['author'],
    ...noAnswer,
    ...rest,
    // Proposals of earlier releases have no `done`.
    proposals: proposals.map((one) => ({ ...one, done: one.done ?? false })),
    outcome,
  }
}

/**
 * At most `maxLines` lines of a dialog, in chronological order.
 * @param after the first lines after this id; undefined: the newest lines
 */
export async function listLines(db: Db, dialogId: string, after?: string) {
  if (after === undefined) return listLastLines(db, dialogId, maxLines)
  const rows = await selectLines(db)
    .where('line.dialog_id', '=', dialogId)
    .where('line.id', '>', after)
    .orderBy('line.id')
    .limit(maxLines)
    .execute()
  return rows.map(toLine)
}

/** Maximum lines of a dialog with the robot; further questions need a new one. */
export const maxLines = 400
/** Maximum lines of a dialog at a desk: an agent waiting for an answer cannot follow the member to a new dialog. */
export const maxDeskLines = 1000

export type NewLine = {
  author: DialogLine['author']
  text: string
  /** only for notes */
  textEn?: string
  agentAccountId?: string
  answer?: Answer
}

/** Adds a line to a dialog and updates its `last_at`. */
export async function insertLine(db: Db, dialogId: string, line: NewLine): Promise<DialogLine> {
  const { id } = await db
    .insertInto('dialog_line')
    .values({
      dialog_id: dialogId,
      author: line.author,
      text: line.text,
      text_en: line.textEn ?? '',
      agent_account_id: line.agentAccountId ?? null,
      answer: line.answer ? JSON.stringify(line.answer) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('dialog').set({ last_at: sql`now()` }).where('id', '=', dialogId).execute()
  return toLine(await selectLines(db).where('line.id', '=', id).executeTakeFirstOrThrow())
}

export async function setDialogState(db: Db, dialogId: string, state: Dialog['state']) {
  await db.updateTable('dialog').set({ state }).where('id', '=', dialogId).execute()
}

/** Maximum lines per member and minute. */
export const maxLinesPerMinute = 20

/** The member's lines within the last minute, and the dialog's length. */
export async function countLines(db: Db, accountId: string, dialogId: string | undefined) {
  const { rows } = await sql<{ lately: number; inDialog: number }>`
    select
      (select count(*)::integer from dialog join dialog_line line on line.dialog_id = dialog.id
        where dialog.account_id = ${accountId} and dialog.last_at > now() - interval '1 minute'
          and line.author = 'member' and line.created_at > now() - interval '1 minute') as lately,
      (select count(*)::integer from dialog_line where dialog_id = ${dialogId ?? null}) as "inDialog"`.execute(
    db,
  )
  return rows[0] ?? { lately: 0, inDialog: 0 }
}

/** The newest lines of a dialog, in chronological order. */
export async function listLastLines(db: Db, dialogId: string, limit: number) {
  const rows = await selectLines(db)
    .where('line.dialog_id', '=', dialogId)
    .orderBy('line.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toLine).reverse()
}

/** @returns the rated answer; undefined if there is no such robot line */
export async function rateLine(
  db: Db,
  dialogId: string,
  lineId: string,
  { helpful, comment }: { helpful: boolean; comment: string },
) {
  const line = await db
    .selectFrom('dialog_line')
    .select(['answer', 'helpful'])
    .where('id', '=', lineId)
    .where('dialog_id', '=', dialogId)
    .where('author', '=', 'robot')
    .forUpdate()
    .executeTakeFirst()
  if (!line) return undefined
  await db.updateTable('dialog_line').set({ helpful, comment }).where('id', '=', lineId).execute()
  const questionLine = await db
    .selectFrom('dialog_line')
    .select('text')
    .where('dialog_id', '=', dialogId)
    .where('author', '=', 'member')
    .where('id', '<', lineId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    answer: line.answer as Answer | null,
    question: questionLine?.text ?? '',
    isNew: line.helpful !== helpful,
  }
}

/** @returns whether the proposal exists */
export async function confirmProposal(db: Db, dialogId: string, lineId: string, index: number) {
  const path = ['proposals', String(index), 'done']
  const changed = await db
    .updateTable('dialog_line')
    .set({ answer: sql`jsonb_set(answer, ${path}::text[], 'true')` })
    .where('id', '=', lineId)
    .where('dialog_id', '=', dialogId)
    .where(sql<boolean>`answer #> ${path.slice(0, 2)}::text[] is not null`)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** @returns whether it was rateable, i.e. an agent has written in it */
export async function rateDialog(
  db: Db,
  dialogId: string,
  { score, comment }: { score: number; comment: string },
) {
  const rated = await db
    .updateTable('dialog')
    .set({ score, score_comment: comment })
    .where('id', '=', dialogId)
    .where(
      sql<boolean>`exists (select from dialog_line where dialog_id = dialog.id and author = 'agent')`,
    )
    .executeTakeFirst()
  return rated.numUpdatedRows > 0n
}

export async function markSeen(db: Db, dialogId: string) {
  await db
    .updateTable('dialog')
    .set({ seen_at: sql`now()` })
    .where('id', '=', dialogId)
    .where(sql<boolean>`seen_at < now() - interval '5 seconds'`)
    .execute()
}

/** @returns false if it is at a desk */
export async function deleteDialog(db: Db, id: string) {
  const { numDeletedRows } = await db
    .deleteFrom('dialog')
    .where('id', '=', id)
    .where('state', 'not in', ['waiting', 'agent'])
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Days after which an unused dialog is deleted. */
const retentionDays = 180

export async function deleteOldDialogs(db: Db) {
  await sql`delete from dialog where last_at < now() - make_interval(days => ${retentionDays}::integer)`.execute(
    db,
  )
}
