import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'

/** As numbers are kept: without spaces and hyphens, and without our own country's code. */
export const plainMobile = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\s()-]/g, '')
    .replace(/^(\+|00)86(?=1\d{10}$)/, '')

/**
 * The person whose mobile number this is, if it is one person's alone, and whether an account of theirs is active. A number
 * that several people share says nothing about which of them holds the phone.
 */
export async function findByMobile(db: Db, mobile: string) {
  const rows = await db
    .selectFrom('person')
    .innerJoin('account', 'account.person_id', 'person.id')
    .select([
      'person.id as personId',
      sql<boolean>`bool_or(account.status = 'active')`.as('active'),
    ])
    // An import may have kept the country's code.
    .where('person.mobile', '=', sql<string>`any(${[mobile, `+86${mobile}`]}::text[])`)
    .where('account.status', '<>', 'disabled')
    .groupBy('person.id')
    .limit(2)
    .execute()
  return rows.length === 1 ? rows[0] : undefined
}

/** They have read a code there. */
export const markVerified = (db: Db, personId: string, kind: 'mobile' | 'email') =>
  db
    .updateTable('person')
    .set({ [`${kind}_verified_at`]: sql`now()` })
    .where('id', '=', personId)
    .where(`${kind}_verified_at`, 'is', null)
    .execute()
