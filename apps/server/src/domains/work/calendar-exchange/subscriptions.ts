import { createHash } from 'node:crypto'
import {
  type CalendarSubscription,
  maxSubscriptions,
  type SubscriptionProblem,
} from '@atrium/contract/work/calendar-exchange'
import type { calendarColors } from '@atrium/contract/work/schedule'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { externalSource } from './queries.ts'
import { problemTexts } from './texts.ts'

type Color = (typeof calendarColors)[number]
type SubscriptionReader = { accountId: string; language: 'zh' | 'en' }

/** A member's subscriptions to outside calendars, with the outcome of their last read. */
export async function listSubscriptions(
  { db, secret }: Platform,
  { accountId, language }: SubscriptionReader,
  id?: string,
): Promise<CalendarSubscription[]> {
  const rows = await db
    .selectFrom('calendar_source as source')
    .innerJoin('calendar', 'calendar.id', 'source.calendar_id')
    .select([
      'calendar.id',
      'calendar.name',
      'calendar.color',
      'source.sealed_address',
      'source.left_out as leftOut',
      'source.fetched_at as fetchedAt',
      'source.succeeded_at as succeededAt',
      'source.next_at as nextAt',
      'source.problem_detail',
    ])
    .select([
      sql<SubscriptionProblem | null>`source.problem`.as('problem'),
      sql<number>`(select count(*)::integer from event where event.calendar_id = calendar.id)`.as(
        'events',
      ),
    ])
    .where('source.account_id', '=', accountId)
    .$if(id !== undefined, (query) => query.where('calendar.id', '=', id as string))
    .orderBy('calendar.id')
    .execute()
  return rows.map(({ sealed_address, problem_detail, color, ...row }) => ({
    ...row,
    calendarId: row.id,
    color: color as Color,
    address: secret.decrypt(sealed_address) ?? '',
    message: row.problem ? problemTexts[language][row.problem](problem_detail) : '',
  }))
}

export async function getSubscription(platform: Platform, reader: SubscriptionReader, id: string) {
  const [found] = await listSubscriptions(platform, reader, id)
  return found ?? fail('subscription.not_found')
}

/** Creates the calendar for a subscription. @returns its id @throws subscription.too_many, subscription.known */
export const insertSubscription = (
  platform: Platform,
  accountId: string,
  { url, name, color }: { url: URL; name: string; color: Color | undefined },
) =>
  platform.db.transaction().execute(async (db) => {
    // Serialises concurrent calls, which could otherwise exceed the maximum.
    await sql`select from account where id = ${accountId} for update`.execute(db)
    const { count } = await db
      .selectFrom('calendar_source')
      .select(sql<number>`count(*)::integer`.as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    if (count >= maxSubscriptions) fail('subscription.too_many')
    const calendar = await db
      .insertInto('calendar')
      .values({
        kind: 'personal',
        source: externalSource,
        // Detects duplicates, because the address itself is stored encrypted.
        source_key: createHash('sha256').update(`${accountId} ${url.href}`).digest('hex'),
        name: name.trim(),
        color: color ?? 'teal',
        owner_account_id: accountId,
      })
      .onConflict((conflict) => conflict.columns(['source', 'source_key']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!calendar) return fail('subscription.known')
    await db
      .insertInto('calendar_source')
      .values({
        calendar_id: calendar.id,
        account_id: accountId,
        sealed_address: platform.secret.encrypt(url.href),
        host: url.host,
      })
      .execute()
    await announce(db, { kind: 'account', key: accountId })
    return calendar.id
  })

const ownedCalendar = (db: Db, accountId: string, id: string) =>
  db
    .selectFrom('calendar_source')
    .select('calendar_id')
    .where('account_id', '=', accountId)
    .where('calendar_id', '=', id)

export async function renameSubscription(
  db: Db,
  accountId: string,
  id: string,
  { name, color }: { name: string; color?: Color | undefined },
) {
  const changed = await db
    .updateTable('calendar')
    .set({ name: name.trim(), ...(color && { color }) })
    .where('id', 'in', ownedCalendar(db, accountId, id))
    .returning('id')
    .executeTakeFirst()
  if (!changed) fail('subscription.not_found')
}

/** Its events are deleted with it. */
export async function deleteSubscription(db: Db, accountId: string, id: string) {
  const deleted = await db
    .deleteFrom('calendar')
    .where('id', 'in', ownedCalendar(db, accountId, id))
    .returning('id')
    .executeTakeFirst()
  if (!deleted) fail('subscription.not_found')
  await announce(db, { kind: 'account', key: accountId })
}
