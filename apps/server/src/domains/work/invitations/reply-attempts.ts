import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

/** With the delays in between about four hours, to leave time for a fixed release or manual review. */
const maxAttempts = 8
const retentionDays = 30

/** A mail as identified by its mailbox. */
type Mail = { validity: string; uid: string }

/** Mails of a mailbox whose next attempt is not due yet. */
export async function listDeferred(db: Db, validity: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ uid: string }>`
    select uid::text from invitation_reply where uid_validity = ${validity}::bigint and next_at > now()`.execute(
    db,
  )
  return new Set(rows.map(({ uid }) => uid))
}

/** Records a failed attempt; the mail is retried after 1, 2, 4 … minutes. */
export async function deferReply(db: Db, { validity, uid }: Mail) {
  const { rows } = await sql<{ attempts: number }>`
    insert into invitation_reply as known (uid_validity, uid, next_at)
    values (${validity}::bigint, ${uid}::bigint, now() + interval '1 minute')
    on conflict (uid_validity, uid) do update set attempts = known.attempts + 1,
      next_at = now() + make_interval(mins => (2 ^ known.attempts)::integer)
    returning attempts`.execute(db)
  const attempts = rows[0]?.attempts ?? maxAttempts
  return { attempts, isLast: attempts >= maxAttempts }
}

export const deleteDeferral = async (db: Db, { validity, uid }: Mail) => {
  await sql`
    delete from invitation_reply where uid_validity = ${validity}::bigint and uid = ${uid}::bigint`.execute(
    db,
  )
}

/** Deletes attempts whose mail no longer exists. */
export const deleteOldAttempts = async (db: Db) => {
  await sql`
    delete from invitation_reply where next_at < now() - make_interval(days => ${retentionDays})`.execute(
    db,
  )
}
