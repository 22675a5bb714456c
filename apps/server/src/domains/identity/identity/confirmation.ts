import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'

/** How long a session may change what only the person may, after they have shown who they are. */
export const confirmedMinutes = 10

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

/** The person has shown all their factors just now, in this session alone. */
export const confirmSession = (db: Db, viewer: Member) =>
  db
    .updateTable('session')
    .set({ confirmed_at: sql`now()` })
    .where('id', '=', viewer.sessionId)
    .execute()
