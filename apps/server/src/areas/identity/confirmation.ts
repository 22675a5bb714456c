import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import { fail } from '#platform/errors.ts'
import type { Member } from '#platform/guard.ts'

const confirmedMinutes = 10

/** For what only the person may change: they have shown all their factors within ten minutes. @throws session.confirmation_due */
export async function requireConfirmation(db: Db, viewer: Member) {
  const fresh = await db
    .selectFrom('session')
    .select('id')
    .where('id', '=', viewer.sessionId)
    .where('confirmed_at', '>', sql<string>`now() - make_interval(mins => ${confirmedMinutes})`)
    .executeTakeFirst()
  if (!fresh) fail('session.confirmation_due')
}
