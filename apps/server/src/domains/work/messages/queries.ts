import type { MessageApp, MessageSummary } from '@atrium/contract/work/messages'
import { sql } from 'kysely'
import { plainForm } from '#platform/database/contains.ts'
import { type Db, prepared } from '#platform/database/db.ts'
import { cursorPage, cursorShapes, exactTime, readCursor } from '#platform/http/paging.ts'
import { plainText } from '#platform/text/tokenize-chinese.ts'
import { fillPersonalText } from './personal-text.ts'
import { delivered, summaryColumns, toSummary } from './summaries.ts'

/** The member's boxes with their last message, pinned ones first, then by time. Boxes without messages are left out. */
export async function listApps(db: Db, accountId: string): Promise<MessageApp[]> {
  const rows = await db
    .selectFrom('message_box as box')
    .innerJoin('message_app as app', 'app.id', 'box.app_id')
    .innerJoin('message as last', 'last.id', 'box.last_message_id')
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
    .select([
      'last.id as last_id',
      'last.title as last_title',
      'last.title_en as last_title_en',
      'last.sent_at as last_sent_at',
      sql<unknown>`case when last.variables <> '{}' then (
        select variables from message_delivery delivery where delivery.account_id = box.account_id
          and delivery.message_id = last.id and delivery.sent_at = last.sent_at) end`.as(
        'variables',
      ),
    ])
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
    lastMessage: lastOf(row),
  }))
}

const lastOf = (row: {
  last_id: string
  last_title: string
  last_title_en: string
  last_sent_at: string
  variables: unknown
}) => {
  const { title, title_en } = fillPersonalText({
    title: row.last_title,
    title_en: row.last_title_en,
    variables: row.variables,
  })
  return { id: row.last_id, title, titleEn: title_en, sentAt: row.last_sent_at }
}

const selectUnread = prepared((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('message_box')
    .select([
      sql<number>`coalesce(sum(unread) filter (where not muted), 0)::integer`.as('unread'),
      sql<number>`coalesce(sum(unread), 0)::integer`.as('withMuted'),
    ])
    .where('account_id', '=', accountId),
)

/**
 * Unread messages without and with muted applications. Sums the member's few boxes, so the number of messages does not
 * matter.
 */
export async function countUnread(
  db: Db,
  accountId: string,
): Promise<{ unread: number; withMuted: number }> {
  const [row] = await selectUnread(db, { accountId })
  return row ?? { unread: 0, withMuted: 0 }
}

/** Unread messages per account, without muted applications. */
export async function countUnreadOf(
  db: Db,
  accountIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('message_box')
    .select(['account_id', sql<number>`sum(unread)::integer`.as('unread')])
    .where('account_id', '=', sql<string>`any(${accountIds as string[]}::bigint[])`)
    .where('muted', '=', false)
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, unread }) => [account_id, unread]))
}

export const listUnreadByApp = (db: Db, accountId: string) =>
  db
    .selectFrom('message_box')
    .select(['app_id as appId', 'unread as unreadCount', 'muted as disturbed'])
    .where('account_id', '=', accountId)
    .where('unread', '>', 0)
    .orderBy('app_id')
    .limit(200)
    .execute()

/** A device that was offline for longer gets the rest from the list. */
export const newestPerAccount = 20

type Filter = {
  appId?: string | undefined
  typeCode?: string | undefined
  unread?: boolean | undefined
  starred?: boolean | undefined
  keyWords?: string | undefined
  cursor?: string | undefined
  pageSize: number
}

type PageParameters = {
  accountId: string
  appId?: string | undefined
  typeCode?: string | undefined
  unread?: true | undefined
  read?: true | undefined
  starred?: true | undefined
  unstarred?: true | undefined
  patterns?: string[] | undefined
  afterTime?: string | undefined
  afterId?: string | undefined
  limit: number
}
/** For messages without a stored search text, one is built on the fly. */
const searchText = sql`case when message.search_text <> '' then message.search_text else ${plainForm(
  sql`concat_ws(' ', message.title, message.title_en, message.summary, message.summary_en, message.sender)`,
)} end`
/** The variable values of this reader's copy. */
const variablesText = sql`(
  select string_agg(value, ' ') from jsonb_each_text(delivery.variables))`
const selectPage = prepared((db, page: PageParameters) => {
  let query = delivered(db, page.accountId)
    .select(summaryColumns)
    .select(exactTime('delivery.sent_at').as('exact'))
  if (page.appId) query = query.where('delivery.app_id', '=', page.appId)
  if (page.typeCode) query = query.where('kind.code', '=', page.typeCode)
  if (page.unread) query = query.where('delivery.read_at', 'is', null)
  if (page.read) query = query.where('delivery.read_at', 'is not', null)
  if (page.starred) query = query.where('delivery.starred', '=', sql.lit(true))
  if (page.unstarred) query = query.where('delivery.starred', '=', sql.lit(false))
  if (page.patterns)
    query = query.where(
      sql<boolean>`concat(${searchText}, ' ', ${plainForm(sql`concat_ws(' ', app.name, app.name_en, ${variablesText})`)})
        like all (${page.patterns}::text[])`,
    )
  if (page.afterTime)
    query = query.where(
      sql<boolean>`(delivery.sent_at, delivery.message_id) < (${page.afterTime}::timestamptz, ${page.afterId}::bigint)`,
    )
  return query
    .orderBy('delivery.sent_at', 'desc')
    .orderBy('delivery.message_id', 'desc')
    .limit(page.limit)
})

/**
 * How many of a member's newest messages are searched; fewer when searching all kinds, where a rare word costs most.
 */
const searchDepth = { alone: 2000, amongOthers: 600 }

type SearchParameters = { accountId: string; patterns: string[]; limit: number; depth: number }
/** Reads the texts by id in one pass, which costs half as much as reading them one by one. */
const selectMatches = prepared((db, { accountId, patterns, limit, depth }: SearchParameters) =>
  db
    .with(
      (own) => own('delivery').materialized(),
      (own) =>
        own
          .selectFrom('message_delivery')
          .select(['message_id', 'sent_at', 'variables'])
          .where('account_id', '=', accountId)
          .where('hidden', 'is', null)
          .orderBy('sent_at', 'desc')
          .orderBy('message_id', 'desc')
          .limit(depth),
    )
    .selectFrom('delivery')
    .innerJoin('message', 'message.id', 'delivery.message_id')
    .select([
      'message.id',
      'message.title',
      'message.title_en',
      'message.summary',
      'message.summary_en',
      'delivery.sent_at',
      'delivery.variables',
    ])
    .where(sql<boolean>`message.id = any(array(select message_id from delivery))`)
    .where(
      sql<boolean>`concat(${searchText}, ' ', ${plainForm(variablesText)}) like all (${patterns}::text[])`,
    )
    .orderBy('delivery.sent_at', 'desc')
    .orderBy('delivery.message_id', 'desc')
    .limit(limit),
)

/** The member's newest messages that contain these words. */
export async function findMessages(
  db: Db,
  accountId: string,
  keyWords: string,
  { limit, alone }: { limit: number; alone: boolean },
) {
  const patterns = patternsOf(keyWords)
  if (!patterns) return []
  const depth = alone ? searchDepth.alone : searchDepth.amongOthers
  return (await selectMatches(db, { accountId, patterns, limit, depth })).map(fillPersonalText)
}

/** Each word may occur anywhere in the text; LIKE wildcards are escaped. */
const patternsOf = (keyWords: string | undefined) => {
  const words = plainText(keyWords ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 8)
  return words.length === 0
    ? undefined
    : words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
}

/** The member's messages, newest first. */
export async function listMessages(db: Db, accountId: string, filter: Filter) {
  const { appId, typeCode, unread, starred, keyWords, cursor, pageSize } = filter
  const [afterTime, afterId] = readCursor(cursor, [cursorShapes.time, cursorShapes.id]) ?? []
  const rows = await selectPage(db, {
    accountId,
    appId,
    typeCode,
    unread: unread === true || undefined,
    read: unread === false || undefined,
    starred: starred === true || undefined,
    unstarred: starred === false || undefined,
    patterns: patternsOf(keyWords),
    afterTime,
    afterId,
    limit: pageSize + 1,
  })
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.exact, row.id],
    (row) => toSummary(fillPersonalText(row)),
  )
}

export async function findMessage(db: Db, accountId: string, id: string) {
  const row = await delivered(db, accountId)
    .select(summaryColumns)
    .select([
      'message.content',
      'message.content_en',
      'message.sender',
      'message.sender_en',
      'message.url',
      'message.valid_until',
    ])
    .where('delivery.message_id', '=', id)
    .executeTakeFirst()
  return row && fillPersonalText(row)
}

export const listAttachments = (db: Db, messageId: string) =>
  db
    .selectFrom('message_attachment as attachment')
    .innerJoin('file', 'file.id', 'attachment.file_id')
    .select([
      'file.id',
      'attachment.name',
      'file.byte_size as size',
      'file.media_type as mediaType',
    ])
    .where('attachment.message_id', '=', messageId)
    .orderBy('attachment.position')
    .limit(52)
    .execute()

/** The facts that explain why a member got a message. */
export const findReason = (db: Db, accountId: string, id: string) =>
  delivered(db, accountId)
    .leftJoin('message_box as box', (join) =>
      join
        .onRef('box.account_id', '=', 'delivery.account_id')
        .onRef('box.app_id', '=', 'delivery.app_id'),
    )
    .select([
      'app.id as appId',
      'app.name as appName',
      'app.name_en as appNameEn',
      'kind.code as typeCode',
      'kind.name as typeName',
      'kind.name_en as typeNameEn',
      'message.rules',
      'box.muted',
    ])
    .where('delivery.message_id', '=', id)
    .executeTakeFirst()

/** The kinds of messages in the member's inbox, or in one application of it. */
export const listKinds = (db: Db, accountId: string, appId: string | undefined) =>
  db
    .selectFrom('message_kind as kind')
    .innerJoin('message_app as app', 'app.id', 'kind.app_id')
    .innerJoin('message_box as box', (join) =>
      join.onRef('box.app_id', '=', 'app.id').on('box.account_id', '=', accountId),
    )
    .select([
      'app.id as appId',
      'app.name as appName',
      'app.name_en as appNameEn',
      'kind.code as typeCode',
      'kind.name',
      'kind.name_en as nameEn',
    ])
    .where('box.last_message_id', 'is not', null)
    .$if(appId !== undefined, (query) => query.where('app.id', '=', appId as string))
    .orderBy('app.position')
    .orderBy('app.id')
    .orderBy('kind.position')
    .orderBy('kind.id')
    .limit(500)
    .execute()

/** A message with its delivery time in ms. */
export type Delivered = { deliveredAt: number; message: MessageSummary }

/** The newest messages of several accounts delivered after a time, oldest first; used to notify open devices. */
export async function listDeliveredTo(
  db: Db,
  accountIds: readonly string[],
  since: Date,
): Promise<Map<string, Delivered[]>> {
  const rows = await db
    .selectFrom(
      sql<{ account_id: string; message_id: string }>`(
        select account.id as account_id, newest.message_id
        from unnest(${accountIds as string[]}::bigint[]) as account (id)
        cross join lateral (
          select message_id, delivered_at from message_delivery
          where account_id = account.id and hidden is null
          order by sent_at desc, message_id desc limit ${newestPerAccount}
        ) newest
        where newest.delivered_at > ${since.toISOString()}::timestamptz
      )`.as('fresh'),
    )
    .innerJoin('message_delivery as delivery', (join) =>
      join
        .onRef('delivery.account_id', '=', 'fresh.account_id')
        .onRef('delivery.message_id', '=', 'fresh.message_id'),
    )
    .innerJoin('message', 'message.id', 'delivery.message_id')
    .innerJoin('message_app as app', 'app.id', 'delivery.app_id')
    .leftJoin('message_kind as kind', 'kind.id', 'message.kind_id')
    .select(['fresh.account_id', 'delivery.delivered_at'])
    .select(summaryColumns)
    .orderBy('delivery.sent_at')
    .orderBy('delivery.message_id')
    .execute()
  const lists = new Map<string, Delivered[]>()
  for (const row of rows) {
    const list = lists.get(row.account_id) ?? []
    if (list.length === 0) lists.set(row.account_id, list)
    list.push({
      deliveredAt: Date.parse(row.delivered_at),
      message: toSummary(fillPersonalText(row)),
    })
  }
  return lists
}
