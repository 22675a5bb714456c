import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { cursorPage, cursorShapes, readCursor } from '#platform/http/paging.ts'

/** A message kind this system may send. */
export const findKind = (db: Db, system: string, appCode: string, kindCode: string) =>
  db
    .selectFrom('message_app as app')
    .innerJoin('relying_party', 'relying_party.id', 'app.relying_party_id')
    .leftJoin('message_kind as kind', (join) =>
      join.onRef('kind.app_id', '=', 'app.id').on('kind.code', '=', kindCode),
    )
    .select(['app.id as app_id', 'kind.id', 'kind.urgent', 'kind.max_per_hour', 'kind.template'])
    .where('relying_party.code', '=', system)
    .where('app.code', '=', appCode)
    .executeTakeFirst()

export async function countSentInHour(db: Db, kindId: string): Promise<number> {
  const { count } = await db
    .selectFrom('message')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('kind_id', '=', kindId)
    .where('sent_at', '>', sql<string>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  return count
}

/** Accounts by lower-case username. */
export const listByUsername = (db: Db, usernames: readonly string[]) =>
  db
    .selectFrom('account')
    .select(['id', 'status', 'username as name'])
    .where(sql<boolean>`username = any(${usernames.map((name) => name.toLowerCase())}::text[])`)
    .execute()

/** Directory numbers with all accounts of the person. */
export const listByNumber = (db: Db, numbers: readonly string[]) =>
  db
    .selectFrom('person')
    .innerJoin('account', 'account.person_id', 'person.id')
    .select(['account.id', 'account.status', 'person.external_key as name'])
    .where('person.external_key', '=', sql<string>`any(${numbers as string[]}::text[])`)
    .execute()

/** The message this system sent with this key. */
export const findMessageByKey = (db: Db, system: string, key: string) =>
  db
    .selectFrom('message')
    .select('id')
    .where('source', '=', system)
    .where('source_key', '=', key)
    .executeTakeFirst()

/** A message sent by this system. */
export const findSentMessage = (db: Db, system: string, id: string) =>
  db
    .selectFrom('message')
    .select([
      'id',
      'source_key as key',
      'sent_at as sentAt',
      'withdrawn_at',
      'spread_after',
      'variables',
    ])
    .where('id', '=', id)
    .where('source', '=', system)
    .executeTakeFirst()

/** Numbers of deliveries, reads, confirmations and answers. */
export async function countOutcomes(db: Db, id: string) {
  const rows = await db
    .selectFrom('message_delivery')
    .select([
      'answer',
      sql<number>`count(*)::integer`.as('recipients'),
      sql<number>`count(read_at)::integer`.as('read'),
      sql<number>`count(confirmed_at)::integer`.as('confirmed'),
    ])
    .where('message_id', '=', id)
    .groupBy('answer')
    .execute()
  const sum = (name: 'recipients' | 'read' | 'confirmed') =>
    rows.reduce((all, row) => all + row[name], 0)
  return {
    recipients: sum('recipients'),
    read: sum('read'),
    confirmed: sum('confirmed'),
    answers: rows.flatMap(({ answer, recipients }) =>
      answer === null ? [] : [{ value: answer, count: recipients }],
    ),
  }
}

/** Recipients by account id. */
export async function listOutcomes(
  db: Db,
  id: string,
  { cursor, pageSize }: { cursor?: string | undefined; pageSize: number },
) {
  const [after] = readCursor(cursor, [cursorShapes.id]) ?? []
  const rows = await db
    .selectFrom('message_delivery as delivery')
    .innerJoin('account', 'account.id', 'delivery.account_id')
    .select([
      'delivery.account_id',
      'account.username',
      'delivery.delivered_at as deliveredAt',
      'delivery.read_at as readAt',
      'delivery.confirmed_at as confirmedAt',
      'delivery.answer',
      'delivery.hidden',
    ])
    .where('delivery.message_id', '=', id)
    .$if(after !== undefined, (query) => query.where('delivery.account_id', '>', after as string))
    .orderBy('delivery.account_id')
    .limit(pageSize + 1)
    .execute()
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.account_id],
    ({ account_id: _, hidden, ...row }) => ({ ...row, withdrawn: hidden === 'withdrawn' }),
  )
}
