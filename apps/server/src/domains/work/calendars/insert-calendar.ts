import { maxCalendars } from '@atrium/contract/work/calendars'
import type { calendarColors } from '@atrium/contract/work/schedule'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { memberSource } from './queries.ts'

/**
 * Creates a calendar of the member's own; the same key again returns the same calendar. Call in a transaction.
 * @returns its id; undefined if the maximum number is reached
 */
export async function insertCalendar(
  db: Db,
  accountId: string,
  { key, name, color }: { key: string; name: string; color: (typeof calendarColors)[number] },
): Promise<string | undefined> {
  const sourceKey = `${accountId} ${key}`
  // Serialises concurrent calls for this member.
  await db.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute()
  const { count } = await db
    .selectFrom('calendar')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('owner_account_id', '=', accountId)
    .where('source_key', '<>', sourceKey)
    .executeTakeFirstOrThrow()
  if (count >= maxCalendars) return undefined
  const { id } = await db
    .insertInto('calendar')
    .values({
      kind: 'personal',
      source: memberSource,
      source_key: sourceKey,
      name: name.trim(),
      color,
      owner_account_id: accountId,
    })
    .onConflict((conflict) =>
      conflict.columns(['source', 'source_key']).doUpdateSet({ source: memberSource }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
