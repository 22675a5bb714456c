import type { caseStates, DeskCase } from '@atrium/contract/discovery/desk'
import { sql } from 'kysely'
import { visibleTo } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import {
  cursorPage,
  cursorShapes,
  exactTime,
  pageSizeOf,
  readCursor,
} from '#platform/http/paging.ts'

/** Online desks visible to this member. */
export const listDesks = (db: Db, viewer: Member, id?: string) =>
  db
    .selectFrom('desk')
    .select(['desk.id', 'desk.name', 'desk.name_en as nameEn', 'desk.hours'])
    .select(waitingCount)
    .where('desk.online', '=', true)
    .where(visibleTo(viewer, 'desk.audience_id'))
    .$if(id !== undefined, (query) => query.where('desk.id', '=', id as string))
    .orderBy('desk.position')
    .orderBy('desk.id')
    .limit(50)
    .execute()

export const waitingCount = sql<number>`(select count(*)::integer from desk_case
  where desk_id = desk.id and state = 'waiting')`.as('waiting')

/** Desks where the account is an agent, with all agents. */
export const listOwnDesks = (db: Db, accountId: string, id?: string) =>
  db
    .selectFrom('desk')
    .innerJoin('desk_agent as own', 'own.desk_id', 'desk.id')
    .select(['desk.id', 'desk.name', 'desk.name_en as nameEn', 'desk.hours'])
    .select([
      waitingCount,
      sql<{ id: string; name: string; nameEn: string }[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('id', account.id::text, 'name', person.name, 'nameEn', person.name_en)
          order by person.name, account.id), '[]')
        from desk_agent agent join account on account.id = agent.account_id and account.status = 'active'
        join person on person.id = account.person_id where agent.desk_id = desk.id)`.as('agents'),
      sql<{ id: string; name: string; nameEn: string }[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('id', other.id::text, 'name', other.name, 'nameEn', other.name_en)
          order by other.position, other.id), '[]')
        from desk other where other.online and other.id <> desk.id)`.as('otherDesks'),
    ])
    .where('own.account_id', '=', accountId)
    .$if(id !== undefined, (query) => query.where('desk.id', '=', id as string))
    .orderBy('desk.position')
    .orderBy('desk.id')
    .execute()

export const listAgents = async (db: Db, deskId: string) =>
  (
    await db
      .selectFrom('desk_agent')
      .innerJoin('account', 'account.id', 'desk_agent.account_id')
      .select('account.id')
      .where('desk_agent.desk_id', '=', deskId)
      .where('account.status', '=', 'active')
      .execute()
  ).map(({ id }) => id)

// ---- dialogs at a desk ----

const selectCases = (db: Db, accountId: string) =>
  db
    .selectFrom('desk_case as one')
    .innerJoin('desk_agent as own', 'own.desk_id', 'one.desk_id')
    .innerJoin('desk', 'desk.id', 'one.desk_id')
    .innerJoin('dialog', 'dialog.id', 'one.dialog_id')
    .innerJoin('account as writer', 'writer.id', 'dialog.account_id')
    .innerJoin('person', 'person.id', 'writer.person_id')
    .innerJoin('organization', 'organization.id', 'writer.organization_id')
    .leftJoin('account as agent', 'agent.id', 'one.agent_account_id')
    .leftJoin('person as colleague', 'colleague.id', 'agent.person_id')
    .select([
      'one.dialog_id as dialogId',
      'one.desk_id as deskId',
      'one.state',
      'one.requested_at as requestedAt',
      'one.member_at as memberAt',
      'desk.name as deskName',
      'desk.name_en as deskNameEn',
      'dialog.title',
      'dialog.score',
      'person.name as memberName',
      'person.name_en as memberNameEn',
      'organization.name as organizationName',
      'organization.name_en as organizationNameEn',
      sql<boolean>`coalesce(one.agent_account_id = ${accountId}::bigint, false)`.as('mine'),
      sql<string>`coalesce(colleague.name, '')`.as('agentName'),
      sql<string>`coalesce(colleague.name_en, '')`.as('agentNameEn'),
    ])
    .where('own.account_id', '=', accountId)
type CaseRow = Awaited<ReturnType<ReturnType<typeof selectCases>['execute']>>[number]

const toCase = ({
  memberName,
  memberNameEn,
  organizationName,
  organizationNameEn,
  state,
  ...row
}: CaseRow): DeskCase => ({
  ...row,
  state: state as DeskCase['state'],
  member: { name: memberName, nameEn: memberNameEn, organizationName, organizationNameEn },
})

/** The case of a dialog, if it is at a desk of this agent. */
export async function findCase(db: Db, accountId: string, dialogId: string) {
  const row = await selectCases(db, accountId)
    .where('one.dialog_id', '=', dialogId)
    .executeTakeFirst()
  return row && toCase(row)
}

const cursorShape = [cursorShapes.time, cursorShapes.id]

export async function listCases(
  db: Db,
  accountId: string,
  filter: { state?: (typeof caseStates)[number]; cursor?: string; pageSize?: number },
) {
  const { state = 'waiting' } = filter
  const [time, after] = readCursor(filter.cursor, cursorShape) ?? []
  const pageSize = pageSizeOf(filter)
  const isAscending = state === 'waiting'
  const column = isAscending ? 'one.requested_at' : 'one.member_at'
  const isOwn = sql<boolean>`one.agent_account_id = ${accountId}::bigint`
  let query = selectCases(db, accountId).select(exactTime(column).as('exact'))
  if (state === 'waiting' || state === 'closed') query = query.where('one.state', '=', state)
  else query = query.where('one.state', '=', 'agent')
  if (state === 'mine') query = query.where(isOwn)
  if (state === 'others') query = query.where(sql<boolean>`(${isOwn}) is not true`)
  if (time)
    query = query.where(
      isAscending
        ? sql<boolean>`(${sql.ref(column)}, one.dialog_id) > (${time}::timestamptz, ${after}::bigint)`
        : sql<boolean>`(${sql.ref(column)}, one.dialog_id) < (${time}::timestamptz, ${after}::bigint)`,
    )
  const order = isAscending ? 'asc' : 'desc'
  const rows = await query
    .orderBy(column, order)
    .orderBy('one.dialog_id', order)
    .limit(pageSize + 1)
    .execute()
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.exact, row.dialogId],
    ({ exact: _exact, ...row }) => toCase(row),
  )
}

/** Queues a dialog at a desk, even if it was closed or at another desk. */
export const queueCase = (db: Db, dialogId: string, deskId: string) =>
  db
    .insertInto('desk_case')
    .values({ dialog_id: dialogId, desk_id: deskId })
    .onConflict((conflict) =>
      conflict.column('dialog_id').doUpdateSet({
        desk_id: deskId,
        agent_account_id: null,
        state: 'waiting',
        requested_at: sql`now()`,
        member_at: sql`now()`,
      }),
    )
    .execute()

/** @returns whether the case was still waiting */
export async function claimCase(db: Db, dialogId: string, accountId: string) {
  const claimed = await db
    .updateTable('desk_case')
    .set({ agent_account_id: accountId, state: 'agent' })
    .where('dialog_id', '=', dialogId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return claimed.numUpdatedRows > 0n
}

export const assignCase = (db: Db, dialogId: string, accountId: string) =>
  db
    .updateTable('desk_case')
    .set({ agent_account_id: accountId, state: 'agent' })
    .where('dialog_id', '=', dialogId)
    .execute()

export const closeCase = (db: Db, dialogId: string) =>
  db.updateTable('desk_case').set({ state: 'closed' }).where('dialog_id', '=', dialogId).execute()

export async function markWritten(db: Db, dialogId: string) {
  await db
    .updateTable('desk_case')
    .set({ member_at: sql`now()` })
    .where('dialog_id', '=', dialogId)
    .execute()
}

/** Seconds without polling after which a member counts as away. */
const awaySeconds = 20

/** Dialogs with an unseen answer whose member is away and not yet notified; marks them as notified. */
export async function claimUnseenReplies(db: Db, dialogId: string | null) {
  const { rows } = await sql<{ dialogId: string; accountId: string; title: string; text: string }>`
    update desk_case set told_at = clock_timestamp()
    from dialog, lateral (select text, created_at from dialog_line
      where dialog_id = dialog.id and author = 'agent' order by id desc limit 1) line
    where dialog.id = desk_case.dialog_id
      and (${dialogId}::bigint is null or dialog.id = ${dialogId}::bigint)
      and line.created_at > dialog.seen_at
      and dialog.seen_at < now() - make_interval(secs => ${awaySeconds}::integer)
      and coalesce(desk_case.told_at < dialog.seen_at, true)
    returning dialog.id as "dialogId", dialog.account_id as "accountId", dialog.title, line.text`.execute(
    db,
  )
  return rows
}

// ---- saved answers ----

export const listPhrases = (db: Db, deskId: string) =>
  db
    .selectFrom('desk_phrase')
    .select(['id', 'title', 'text'])
    .where('desk_id', '=', deskId)
    .orderBy('title')
    .orderBy('id')
    .execute()

export const insertPhrase = (db: Db, deskId: string, title: string, text: string) =>
  db.insertInto('desk_phrase').values({ desk_id: deskId, title, text }).execute()

/** @returns whether it belonged to a desk of this agent */
export async function deletePhrase(db: Db, accountId: string, id: string) {
  const deleted = await db
    .deleteFrom('desk_phrase')
    .where('id', '=', id)
    .where(
      sql<boolean>`desk_id in (select desk_id from desk_agent where account_id = ${accountId}::bigint)`,
    )
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}
