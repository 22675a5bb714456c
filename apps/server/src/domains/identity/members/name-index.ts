import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { startDueQueue } from '#platform/delivery/due-queue.ts'
import type { Platform } from '#platform/platform.ts'
import { nameWords, typedWords } from './name-words.ts'

const accountsPerBatch = 1000

/** Keeps what members are found by in step with their names, whoever changes those. */
export function startNameIndex({ db, log }: Platform): { stop: () => Promise<void> } {
  return startDueQueue(log, {
    name: 'names of members',
    batch: accountsPerBatch,
    takeBatch: () => db.transaction().execute((db) => indexNames(db)),
    async secondsToNext() {
      const waits = await db.selectFrom('account_name_due').select('account_id').executeTakeFirst()
      return waits && 1
    },
  })
}

/** @returns how many accounts were dealt with */
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

/** The last character there is: what begins with a word lies between the word and this behind it. */
const last = '\u{10ffff}'
const begins = (word: string) =>
  sql<boolean>`named.word >= ${word} and named.word < ${`${word}${last}`}`

/** Whether some name has a word that begins like the longest one typed: mostly not, and that is known for a tenth of what looking for people costs. */
export async function isName(db: Db, text: string): Promise<boolean> {
  const [longest = ''] = typedWords(text)
  const { rows } = await sql`
    select from account_name_word named where ${begins(longest)} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Accounts whose names begin with each of the words that were typed, those that are just it first.
 * @param where a condition on `account` joined with its `organization`
 * @param limit how many are looked at; what is typed further finds the others
 */
export function accountsNamed(
  text: string,
  where: RawBuilder<boolean>,
  limit: number,
): RawBuilder<unknown> {
  const [first = '', ...others] = typedWords(text)
  const rest = others.map(
    (word) => sql`and exists (
      select from account_name_word named where named.account_id = account.id and ${begins(word)})`,
  )
  return sql`(
    select account.id, min(place) as place from (
      select named.account_id as id, row_number() over (order by named.word) as place
      from account_name_word named
      join account on account.id = named.account_id
      join organization on organization.id = account.organization_id
      where ${begins(first)} and ${where} ${sql.join(rest, sql` `)}
      order by named.word limit ${limit}
    ) as account group by account.id)`
}
