import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

/** Normalises a mobile number: no spaces, brackets or hyphens, and no +86 country code. */
export const normalizeMobile = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\s()-]/g, '')
    .replace(/^(\+|00)86(?=1\d{10}$)/, '')

/**
 * The person with this mobile number, and whether one of their accounts is active. Undefined if several people share
 * the number, because it does not show which of them holds the phone.
 */
export async function findPersonByMobile(db: Db, mobile: string) {
  const rows = await db
    .selectFrom('person')
    .innerJoin('account', 'account.person_id', 'person.id')
    .select([
      'person.id as personId',
      sql<boolean>`bool_or(account.status = 'active')`.as('active'),
    ])
    // Imported numbers may include the country code.
    .where('person.mobile', '=', sql<string>`any(${[mobile, `+86${mobile}`]}::text[])`)
    .where('account.status', '<>', 'disabled')
    .where('person.sms_login', '=', true)
    .groupBy('person.id')
    .limit(2)
    .execute()
  return rows.length === 1 ? rows[0] : undefined
}

/** Marks a contact as verified, after a code sent to it was entered. */
export const markVerified = (db: Db, personId: string, kind: 'mobile' | 'email') =>
  db
    .updateTable('person')
    .set({ [`${kind}_verified_at`]: sql`now()` })
    .where('id', '=', personId)
    .where(`${kind}_verified_at`, 'is', null)
    .execute()

/**
 * Finds a person by username, mobile number or mail address; undefined if ambiguous or if all accounts are disabled.
 */
export async function findPersonByName(db: Db, input: string) {
  const name = input.trim().toLowerCase()
  const mobile = normalizeMobile(input)
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

/** The person whose recovery code was redeemed for this request within the last ten minutes. */
export const findRedeemedRequest = (db: Db, keyHash: string) =>
  db
    .selectFrom('contact_code')
    .select('person_id as personId')
    .where('key_hash', '=', keyHash)
    .where('purpose', '=', 'recovery')
    .where('used_at', '>', sql<string>`now() - interval '10 minutes'`)
    .executeTakeFirst()

/** Consumes the request; of two concurrent calls only one succeeds. */
export const consumeRedeemedRequest = (db: Db, keyHash: string) =>
  db
    .deleteFrom('contact_code')
    .where('key_hash', '=', keyHash)
    .where('purpose', '=', 'recovery')
    .where('used_at', '>', sql<string>`now() - interval '10 minutes'`)
    .returning('person_id as personId')
    .executeTakeFirst()

/** Activates a person's inactive accounts, e.g. of an imported member who sets a first password. */
export const activateAccounts = (db: Db, personId: string) =>
  db
    .updateTable('account')
    .set({ status: 'active' })
    .where('person_id', '=', personId)
    .where('status', '=', 'inactive')
    .execute()

/** A person's usernames, oldest account first. */
export const listUsernames = (db: Db, personId: string) =>
  db
    .selectFrom('account')
    .select(['id', 'username'])
    .where('person_id', '=', personId)
    .where('status', '<>', 'disabled')
    .orderBy('id')
    .execute()
