import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

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
    .where('person.sms_login', '=', true)
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

/** Somebody by username, mobile number or mail address, if it is one person with an account that is not disabled. */
export async function findByName(db: Db, who: string) {
  const name = who.trim().toLowerCase()
  const mobile = plainMobile(who)
  const rows = await db
    .selectFrom('person')
    .innerJoin('account', 'account.person_id', 'person.id')
    .select(['person.id', 'person.mobile', 'person.email'])
    .where('account.status', '<>', 'disabled')
    .where((where) =>
      where.or([
        where('account.username', '=', name),
        where.and([
          where('person.mobile', '<>', ''),
          where('person.mobile', '=', sql<string>`any(${[mobile, `+86${mobile}`]}::text[])`),
        ]),
        where.and([where('person.email', '<>', ''), where(sql`lower(person.email)`, '=', name)]),
      ]),
    )
    .groupBy('person.id')
    .limit(2)
    .execute()
  return rows.length === 1 ? rows[0] : undefined
}

export const findContacts = (db: Db, personId: string) =>
  db
    .selectFrom('person')
    .select(['id', 'mobile', 'email', sql<boolean>`password_hash is not null`.as('hasPassword')])
    .where('id', '=', personId)
    .executeTakeFirst()

/** The person whose code was taken for this request within ten minutes. */
export const findTaken = (db: Db, keyHash: string) =>
  db
    .selectFrom('contact_code')
    .select('person_id as personId')
    .where('key_hash', '=', keyHash)
    .where('purpose', '=', 'recovery')
    .where('used_at', '>', sql<string>`now() - interval '10 minutes'`)
    .executeTakeFirst()

/** Uses the request up; of two at the same time one does. */
export const deleteTaken = (db: Db, keyHash: string) =>
  db
    .deleteFrom('contact_code')
    .where('key_hash', '=', keyHash)
    .where('purpose', '=', 'recovery')
    .where('used_at', '>', sql<string>`now() - interval '10 minutes'`)
    .returning('person_id as personId')
    .executeTakeFirst()

/** An imported member's accounts wait for the first password. */
export const activateAccounts = (db: Db, personId: string) =>
  db
    .updateTable('account')
    .set({ status: 'active' })
    .where('person_id', '=', personId)
    .where('status', '=', 'inactive')
    .execute()

/** The names a person signs in with, the account of the first one first. */
export const listUsernames = (db: Db, personId: string) =>
  db
    .selectFrom('account')
    .select(['id', 'username'])
    .where('person_id', '=', personId)
    .where('status', '<>', 'disabled')
    .orderBy('id')
    .execute()
