import type { MessageApp, MessageLine } from '@atrium/contract/work/messages'
import { sql } from 'kysely'
import { type Db, prepared } from '#platform/database/db.ts'
import { cursorPage, cursorShapes, exactTime, readCursor } from '#platform/http/paging.ts'

/** The member's boxes with their last message, topped ones first, then by time. */
export async function listApps(db: Db, accountId: string): Promise<MessageApp[]> {
  const rows = await db
    .selectFrom('message_box as box')
    .innerJoin('message_app as app', 'app.id', 'box.app_id')
    .leftJoin('message as last', 'last.id', 'box.last_message_id')
    .select([
      'app.id',
      'app.code',
      'app.name',
      'app.name_en',
      'app.glyph',
      'app.tone',
      'box.unread',
      'box.topped_at',
      'box.muted',
    ])
    .select(['last.id as last_id', 'last.title as last_title', 'last.sent_at as last_sent_at'])
    .where('box.account_id', '=', accountId)
    .orderBy(sql`box.topped_at desc nulls last`)
    .orderBy(sql`box.last_sent_at desc nulls last`)
    .orderBy('app.position')
    .limit(200)
    .execute()
  return rows.map((row) => ({
    appId: row.id,
    code: row.code,
    name: row.name,
    nameEn: row.name_en,
    icon: { glyph: row.glyph, tone: row.tone as MessageApp['icon']['tone'] },
    unreadCount: row.unread,
    topped: row.topped_at !== null,
    disturbed: row.muted,
    lastMessage: row.last_id
      ? { id: row.last_id, title: row.last_title ?? '', sentAt: row.last_sent_at ?? '' }
      : null,
  }))
}

const selectUnread = prepared((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('message_box')
    .select(sql<number>`coalesce(sum(unread), 0)::integer`.as('total'))
    .where('account_id', '=', accountId)
    .where('muted', '=', sql.lit(false)),
)

/** Unread messages of applications that are not muted: a sum over a member's few boxes, however many messages there are. */
export async function countUnread(db: Db, accountId: string): Promise<number> {
  const [row] = await selectUnread(db, { accountId })
  return row?.total ?? 0
}

const delivered = (db: Db, accountId: string) =>
  db
    .selectFrom('message_delivery as delivery')
    .innerJoin('message', 'message.id', 'delivery.message_id')
    .innerJoin('message_app as app', 'app.id', 'delivery.app_id')
    .where('delivery.account_id', '=', accountId)

const summaryColumns = [
  'message.id',
  'delivery.app_id',
  'app.name as app_name',
  'app.name_en as app_name_en',
  'message.title',
  'message.summary',
  'delivery.sent_at',
  'delivery.read_at',
  'delivery.starred',
] as const
type SummaryRow = Awaited<ReturnType<typeof selectSummaries>>[number]
const selectSummaries = (db: Db) => delivered(db, '').select(summaryColumns).execute()

export const toSummary = (row: SummaryRow): MessageLine => ({
  id: row.id,
  appId: row.app_id,
  appName: row.app_name,
  appNameEn: row.app_name_en,
  title: row.title,
  summary: row.summary,
  sentAt: row.sent_at,
  read: row.read_at !== null,
  starred: row.starred,
})

type Filter = {
  appId?: string | undefined
  unread?: boolean | undefined
  starred?: boolean | undefined
  cursor?: string | undefined
  pageSize: number
}

type Page = {
  accountId: string
  appId?: string | undefined
  unread?: true | undefined
  read?: true | undefined
  starred?: true | undefined
  unstarred?: true | undefined
  afterTime?: string | undefined
  afterId?: string | undefined
  limit: number
}
const selectPage = prepared((db, page: Page) => {
  let query = delivered(db, page.accountId)
    .select(summaryColumns)
    .select(exactTime('delivery.sent_at').as('exact'))
  if (page.appId) query = query.where('delivery.app_id', '=', page.appId)
  if (page.unread) query = query.where('delivery.read_at', 'is', null)
  if (page.read) query = query.where('delivery.read_at', 'is not', null)
  if (page.starred) query = query.where('delivery.starred', '=', true)
  if (page.unstarred) query = query.where('delivery.starred', '=', false)
  if (page.afterTime)
    query = query.where(
      sql<boolean>`(delivery.sent_at, delivery.message_id) < (${page.afterTime}::timestamptz, ${page.afterId}::bigint)`,
    )
  return query
    .orderBy('delivery.sent_at', 'desc')
    .orderBy('delivery.message_id', 'desc')
    .limit(page.limit)
})

/** The member's messages, newest first. */
export async function listMessages(db: Db, accountId: string, filter: Filter) {
  const { appId, unread, starred, cursor, pageSize } = filter
  const [afterTime, afterId] = readCursor(cursor, [cursorShapes.time, cursorShapes.id]) ?? []
  const rows = await selectPage(db, {
    accountId,
    appId,
    unread: unread === true || undefined,
    read: unread === false || undefined,
    starred: starred === true || undefined,
    unstarred: starred === false || undefined,
    afterTime,
    afterId,
    limit: pageSize + 1,
  })
  return cursorPage(rows, pageSize, (row) => [row.exact, row.id], toSummary)
}

export const findMessage = (db: Db, accountId: string, id: string) =>
  delivered(db, accountId)
    .select(summaryColumns)
    .select(['message.content', 'message.sender', 'message.url'])
    .where('delivery.message_id', '=', id)
    .executeTakeFirst()

/** Marks the member's unread ones among these as read; the counters follow in the same transaction. */
export async function markRead(db: Db, accountId: string, ids: readonly string[]): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('message_delivery')
    .set({ read_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('message_id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .where('read_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function markAllRead(
  db: Db,
  accountId: string,
  appId: string | undefined,
): Promise<number> {
  let query = db
    .updateTable('message_delivery')
    .set({ read_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null)
  if (appId) query = query.where('app_id', '=', appId)
  return Number((await query.executeTakeFirst()).numUpdatedRows)
}
