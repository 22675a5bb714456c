import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'

/** Minutes for which a confirmed session may change account security. */
export const confirmationMinutes = 10

/** Requires that the person proved all their factors within the last ten minutes. @throws session.confirmation_due */
export async function requireConfirmation(db: Db, viewer: Member) {
  const fresh = await db
    .selectFrom('session')
    .select('id')
    .where('id', '=', viewer.sessionId)
    .where('confirmed_at', '>', sql<string>`now() - make_interval(mins => ${confirmationMinutes})`)
    .executeTakeFirst()
  if (!fresh) fail('session.confirmation_due')
}

/** Records that the person has just proved all their factors in this session; other sessions are not affected. */
export const confirmSession = (db: Db, viewer: Member) =>
  db
    .updateTable('session')
    .set({ confirmed_at: sql`now()` })
    .where('id', '=', viewer.sessionId)
    .execute()
