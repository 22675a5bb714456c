import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import { type InvitationAnswer, notifyOrganizer } from './notify-organizer.ts'

/**
 * Stores an answer to an invitation and notifies the organiser. Call in a transaction.
 * @returns whether the member is invited
 */
export async function answerInvitation(
  db: Db,
  viewer: Pick<Member, 'accountId' | 'name' | 'nameEn'>,
  eventId: string,
  { answer, comment }: { answer: InvitationAnswer; comment: string },
): Promise<boolean> {
  // Lock the event before the participant, in the same order as event changes do.
  const event = await db
    .selectFrom('event')
    .select(['title', 'account_id as accountId'])
    .where('id', '=', eventId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const part = await db
    .selectFrom('event_participant')
    .select(['id', 'answer', 'comment'])
    .where('event_id', '=', eventId)
    .where('account_id', '=', viewer.accountId)
    .forUpdate()
    .executeTakeFirst()
  if (!event || !part) return false
  if (part.answer === answer && part.comment === comment) return true
  await db
    .updateTable('event_participant')
    .set({ answer, comment, answered_at: sql`now()` })
    .where('id', '=', part.id)
    .execute()
  if (event.accountId && event.accountId !== viewer.accountId)
    await notifyOrganizer(db, event.accountId, {
      eventId,
      title: event.title,
      who: viewer.name,
      whoEn: viewer.nameEn,
      answer,
      comment,
    })
  return true
}
