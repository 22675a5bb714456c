import type { SearchHistory } from '@atrium/contract/discovery/search'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'

const maxEntries = 20

/** The member's search history; empty unless the member turned it on. */
export async function readHistory(db: Db, { accountId }: Member): Promise<SearchHistory> {
  const setting = await db
    .selectFrom('search_setting')
    .select('keeps_history')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const rows = await db
    .selectFrom('search_history')
    .select('words')
    .where('account_id', '=', accountId)
    .orderBy('searched_at', 'desc')
    .limit(maxEntries)
    .execute()
  return { kept: setting?.keeps_history ?? false, list: rows.map(({ words }) => words) }
}

/** Turns the history on or off. Turning it off deletes it immediately. */
export async function setHistoryEnabled(db: Db, { accountId }: Member, enabled: boolean) {
  await db
    .insertInto('search_setting')
    .values({ account_id: accountId, keeps_history: enabled })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ keeps_history: enabled }))
    .execute()
  if (!enabled) await clearHistory(db, accountId)
}

export const clearHistory = (db: Db, accountId: string, words?: string) =>
  db
    .deleteFrom('search_history')
    .where('account_id', '=', accountId)
    .$if(words !== undefined, (query) => query.where('words', '=', words ?? ''))
    .execute()

/** Adds a search if the history is on; drops the oldest beyond the limit. */
export async function addToHistory(db: Db, accountId: string, words: string) {
  const { numAffectedRows } = await sql`
    insert into search_history (account_id, words)
    select account_id, ${words} from search_setting where account_id = ${accountId} and keeps_history
    on conflict (account_id, words) do update set searched_at = now()`.execute(db)
  if (numAffectedRows)
    await sql`delete from search_history where account_id = ${accountId} and words not in (
      select words from search_history where account_id = ${accountId} order by searched_at desc limit ${maxEntries})`.execute(
      db,
    )
}

/** The member's earlier searches with this prefix. */
export async function matchHistory(db: Db, accountId: string, text: string, limit: number) {
  const { rows } = await sql<{ words: string }>`
    select words from search_history where account_id = ${accountId} and starts_with(words, ${text}) and words <> ${text}
    order by searched_at desc limit ${limit}`.execute(db)
  return rows.map(({ words }) => words)
}
