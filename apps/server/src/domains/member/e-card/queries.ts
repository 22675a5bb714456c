import { codesSeconds } from '@atrium/contract/member/e-card'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

/** Maximum devices of a member with valid codes. */
const maxActiveHandles = 5
const retentionDays = 90

/** @returns false if the handle is taken */
export async function insertSeed(
  db: Db,
  row: { handle: string; accountId: string; sessionId: string; sealedSeed: string },
): Promise<boolean> {
  await sql`
    delete from pay_code where account_id = ${row.accountId} and handle not in (
      select handle from pay_code where account_id = ${row.accountId} and expires_at > now()
      order by expires_at desc limit ${maxActiveHandles - 1})`.execute(db)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('pay_code')
    .values({
      handle: row.handle,
      account_id: row.accountId,
      session_id: row.sessionId,
      sealed_seed: row.sealedSeed,
      expires_at: sql<string>`now() + make_interval(secs => ${codesSeconds + 60})`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) === 1
}

/** The owner of these codes, unless their session has ended or their account is disabled. */
export const findSeed = (db: Db, handle: string) =>
  db
    .selectFrom('pay_code')
    .innerJoin('session', 'session.id', 'pay_code.session_id')
    .innerJoin('account', 'account.id', 'pay_code.account_id')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select([
      'pay_code.sealed_seed as sealedSeed',
      'account.id as accountId',
      'account.username',
      'account.identity_type_code as identityType',
      'person.external_key as number',
      'person.name',
    ])
    .where('pay_code.handle', '=', handle)
    .where('pay_code.expires_at', '>', sql<string>`now()`)
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', sql<string>`now()`)
    .where('account.status', '<>', 'disabled')
    .executeTakeFirst()

/** Marks a code as used. @returns false if it was used before */
export async function markStepUsed(db: Db, handle: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('pay_code')
    .set({ used_steps: sql`array_append(used_steps, ${step}::bigint)` })
    .where('handle', '=', handle)
    .where(sql<boolean>`not ${step}::bigint = any(used_steps)`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const insertUse = (
  db: Db,
  use: { account_id: string; purpose: string; system: string; place: string },
) => db.insertInto('pay_code_use').values(use).returning('used_at as at').executeTakeFirstOrThrow()

/** The most recent uses. */
export const listUses = (db: Db, accountId: string) =>
  db
    .selectFrom('pay_code_use')
    .leftJoin('relying_party', 'relying_party.code', 'pay_code_use.system')
    .select([
      'pay_code_use.used_at as at',
      'pay_code_use.purpose',
      'pay_code_use.place',
      sql<string>`coalesce(relying_party.name, pay_code_use.system)`.as('system'),
      sql<string>`coalesce(relying_party.name_en, '')`.as('systemEn'),
    ])
    .where('pay_code_use.account_id', '=', accountId)
    .orderBy('pay_code_use.id', 'desc')
    .limit(50)
    .execute()

export const deleteSeeds = (db: Db, accountId: string) =>
  db.deleteFrom('pay_code').where('account_id', '=', accountId).execute()

export async function deleteExpired(db: Db) {
  await db.deleteFrom('pay_code').where('expires_at', '<', sql<string>`now()`).execute()
  await db
    .deleteFrom('pay_code_use')
    .where('used_at', '<', sql<string>`now() - make_interval(days => ${retentionDays})`)
    .execute()
}
