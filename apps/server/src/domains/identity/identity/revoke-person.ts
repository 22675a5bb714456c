import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { pendingSignIns } from './extensions.ts'
import { type EndReason, endSessions, hashSecret, signInId } from './queries.ts'

/**
 * Serialises the steps of a person's sign-ins and changes to how they sign in. Lock the person before their pending
 * sign-ins, or two transactions could wait for each other.
 */
export const lockPerson = (db: Db, personId: string) =>
  db.selectFrom('person').select('id').where('id', '=', personId).forNoKeyUpdate().execute()

/**
 * Cancels a person's pending sign-ins, which could otherwise be completed with the proof given before. In a transaction.
 * @param exceptState the state of the one to keep: that whose step this is
 */
export async function cancelSignIns(db: Db, personId: string, exceptState?: string) {
  await lockPerson(db, personId)
  const exceptKey = exceptState === undefined ? null : hashSecret(exceptState)
  await db
    .deleteFrom('sign_in')
    .where('person_id', '=', personId)
    .where(sql<boolean>`key_hash is distinct from ${exceptKey}`)
    .execute()
  for (const { cancel } of pendingSignIns.all()) await cancel(db, personId)
}

type Revocation = {
  reason?: EndReason
  /** a session to keep, with the others of its sign-in */
  except?: string | undefined
  /** the state of a pending sign-in to keep */
  exceptState?: string
}

/**
 * Ends every session of a person's accounts and cancels their pending sign-ins, in a transaction. For this node to apply
 * it immediately, await `topics.flushed()` afterwards.
 * @returns the number of sessions ended
 */
export async function revokePerson(
  db: Db,
  personId: string,
  { reason = 'password', except, exceptState }: Revocation = {},
): Promise<number> {
  await cancelSignIns(db, personId, exceptState)
  const exceptId = except ?? null
  const ended = await endSessions(
    db,
    reason,
    sql<boolean>`session.account_id in (select id from account where person_id = ${personId})
      and ${signInId} is distinct from (select ${signInId} from session where id = ${exceptId}::uuid)`,
  )
  return ended.length
}
