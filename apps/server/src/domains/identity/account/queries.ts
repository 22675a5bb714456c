import { sql } from 'kysely'
import { confirmationMinutes } from '#domains/identity/identity/confirmation.ts'
import { isPasswordExpired } from '#domains/identity/identity/password.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import type { ProofKind, ProofStatus } from './rules.ts'

const proofIsFresh = sql<boolean>`proved_at > now() - make_interval(mins => ${confirmationMinutes})`

/** Everything about the person that account security displays or bases decisions on. */
export const getOwner = (db: Db, viewer: Member) =>
  db
    .selectFrom('person')
    .select([
      'person.mobile',
      'person.email',
      'person.mobile_verified_at as mobileVerifiedAt',
      'person.email_verified_at as emailVerifiedAt',
      'person.password_changed_at as passwordChangedAt',
      'person.sms_login as smsLogin',
      sql<boolean>`person.password_hash is not null`.as('hasPassword'),
    ])
    .select((query) => [
      query
        .selectFrom('session')
        .where('session.id', '=', viewer.sessionId)
        .select(
          sql<
            string | null
          >`session.confirmed_at + make_interval(mins => ${confirmationMinutes})`.as('until'),
        )
        .as('confirmedUntil'),
      query
        .selectFrom('account_proof')
        .where('session_id', '=', viewer.sessionId)
        .where(proofIsFresh)
        .select(sql<ProofKind[]>`coalesce(array_agg(kind), '{}')`.as('kinds'))
        .as('proofs'),
      query
        .selectFrom('security_question')
        .where('person_id', '=', viewer.personId)
        .select(sql<string[]>`coalesce(array_agg(question order by position), '{}')`.as('list'))
        .as('questions'),
    ])
    .where('person.id', '=', viewer.personId)
    .executeTakeFirstOrThrow()
export type Owner = Awaited<ReturnType<typeof getOwner>>

export const proofStatusOf = (owner: Owner, questionsOn: boolean): ProofStatus => ({
  confirmed: owner.confirmedUntil !== null && Date.parse(owner.confirmedUntil) > Date.now(),
  proofs: owner.proofs ?? [],
  hasContact: owner.mobile !== '' || owner.email !== '',
  hasQuestions: questionsOn && (owner.questions ?? []).length > 0,
})

export const passwordOfOwner = (owner: Owner, maxDays: number) => ({
  set: owner.hasPassword,
  changedAt: owner.passwordChangedAt,
  mustChange: owner.hasPassword && isPasswordExpired(owner.passwordChangedAt, maxDays),
})

export const insertProof = (db: Db, sessionId: string, kind: ProofKind) =>
  db
    .insertInto('account_proof')
    .values({ session_id: sessionId, kind })
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'kind']).doUpdateSet({ proved_at: sql`now()` }),
    )
    .execute()

/** Consumes the session's proofs and returns the fresh ones; of two concurrent changes only one gets them. */
export async function consumeProofs(db: Db, sessionId: string): Promise<ProofKind[]> {
  const deleted = await db
    .deleteFrom('account_proof')
    .where('session_id', '=', sessionId)
    .returning(['kind', proofIsFresh.as('fresh')])
    .execute()
  return deleted.filter(({ fresh }) => fresh).map(({ kind }) => kind as ProofKind)
}

/** Sets or clears a contact; a new one counts as verified now. */
export const updateContact = (
  db: Db,
  personId: string,
  kind: 'mobile' | 'email',
  contact: string,
) =>
  db
    .updateTable('person')
    .set({
      [kind]: contact,
      [`${kind}_verified_at`]: contact === '' ? null : sql`now()`,
    })
    .where('id', '=', personId)
    .execute()

export const updateSmsLogin = (db: Db, personId: string, on: boolean) =>
  db.updateTable('person').set({ sms_login: on }).where('id', '=', personId).execute()

export const listAnswerHashes = (db: Db, personId: string) =>
  db
    .selectFrom('security_question')
    .select('answer_hash as hash')
    .where('person_id', '=', personId)
    .orderBy('position')
    .execute()

export async function replaceQuestions(
  db: Db,
  personId: string,
  questions: readonly { question: string; hash: string }[],
) {
  await db.deleteFrom('security_question').where('person_id', '=', personId).execute()
  if (questions.length === 0) return
  await db
    .insertInto('security_question')
    .values(
      questions.map(({ question, hash }, index) => ({
        person_id: personId,
        position: index + 1,
        question,
        answer_hash: hash,
      })),
    )
    .execute()
}

/** Locks the person's row, so that sign-in credentials cannot change concurrently until the transaction ends. */
export const lockPerson = (db: Db, personId: string) =>
  db
    .selectFrom('person')
    .select(['mobile', 'email'])
    .where('id', '=', personId)
    .forUpdate()
    .executeTakeFirstOrThrow()
