import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { startDueQueue } from '#platform/delivery/due-queue.ts'
import type { Platform } from '#platform/platform.ts'
import { nameWords, typedWords } from './name-words.ts'

const accountsPerBatch = 1000

/** Keeps the search words of members in step with name changes from any source. */
export function startNameIndex({ db, log, topics }: Platform): { stop: () => Promise<void> } {
  const queue = startDueQueue(log, {
    name: 'names of members',
    batch: accountsPerBatch,
    takeBatch: () => db.transaction().execute((db) => indexNames(db)),
    async secondsToNext() {
      const waits = await db.selectFrom('account_name_due').select('account_id').executeTakeFirst()
      return waits && 1
    },
  })
  topics.on(({ kind }) => {
    if (kind === 'names') queue.kick()
  })
  return queue
}

/** @returns the number of accounts processed */
export async function indexNames(db: Db, limit = accountsPerBatch): Promise<number> {
  const { rows } = await sql<{ id: string; name: string; nameEn: string; username: string }>`
    with due as (
      delete from account_name_due where account_id in (
        select account_id from account_name_due order by due_at limit ${limit} for update skip locked)
      returning account_id
    )
    select account.id, person.name, person.name_en as "nameEn", account.username
    from due join account on account.id = due.account_id join person on person.id = account.person_id`.execute(
    db,
  )
  if (rows.length === 0) return 0
  const words = rows.flatMap((row) => nameWords(row).map((word) => ({ id: row.id, word })))
  await sql`delete from account_name_word where account_id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(
    db,
  )
  await sql`
    insert into account_name_word (account_id, word)
    select * from unnest(${words.map(({ id }) => id)}::bigint[], ${words.map(({ word }) => word)}::text[])`.execute(
    db,
  )
  return rows.length
}

/** The highest code point: words with a prefix lie between the prefix and the prefix followed by it. */
const maxCodePoint = '\u{10ffff}'
const hasPrefix = (word: string) =>
  sql<boolean>`named.word >= ${word} and named.word < ${`${word}${maxCodePoint}`}`

/**
 * Whether any name has a word starting with the longest typed word. Usually not, and this check costs a tenth of a
 * people search.
 */
export async function isNamePrefix(db: Db, text: string): Promise<boolean> {
  const [longest = ''] = typedWords(text)
  const { rows } = await sql`
    select from account_name_word named where ${hasPrefix(longest)} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Accounts with a name word for each typed prefix, exact matches first.
 * @param where a condition on `account` joined with its `organization`
 * @param limit maximum number of name words considered; typing more finds the others
 */
export function accountsNamed(
  text: string,
  where: RawBuilder<boolean>,
  limit: number,
): RawBuilder<unknown> {
  const [first = '', ...otherWords] = typedWords(text)
  const otherConditions = otherWords.map(
    (word) => sql`and exists (
      select from account_name_word named where named.account_id = account.id and ${hasPrefix(word)})`,
  )
  return sql`(
    select account.id, min(place) as place from (
      select named.account_id as id, row_number() over (order by named.word) as place
      from account_name_word named
      join account on account.id = named.account_id
      join organization on organization.id = account.organization_id
      where ${hasPrefix(first)} and ${where} ${sql.join(otherConditions, sql` `)}
      order by named.word limit ${limit}
    ) as account group by account.id)`
}
