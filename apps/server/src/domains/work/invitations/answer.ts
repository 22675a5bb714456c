import { sql } from 'kysely'
import { describeTime } from '#domains/work/appointments/describe-time.ts'
import { notifyOrganizer } from '#domains/work/appointments/notify-organizer.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import type { Reply } from './rules.ts'
import { parseSentInvitation } from './write-itip.ts'

export type ReplyResult = 'answered' | 'older' | 'unknown' | 'forged'

/**
 * Processes the replies in one mail. They apply to the invitation whose token they carry, if they come from its
 * recipient. Call in a transaction.
 * @param tokens from the addresses in the mail
 */
export async function processReplies(
  db: Db,
  replies: readonly Reply[],
  tokens: readonly string[],
): Promise<ReplyResult> {
  const [first] = replies
  // Locks in the same order as event changes: event, invitation, participant.
  await db
    .selectFrom('event')
    .select('id')
    .where('id', 'in', (of) =>
      of
        .selectFrom('invitation')
        .select('event_id')
        .where('token', '=', sql<string>`any(${tokens as string[]}::text[])`),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const rows = await db
    .selectFrom('invitation')
    .leftJoin('event', 'event.id', 'invitation.event_id')
    .selectAll('invitation')
    .select(['event.title', 'event.account_id'])
    .where('invitation.token', '=', sql<string>`any(${tokens as string[]}::text[])`)
    .forUpdate('invitation')
    .execute()
  const [invitation] = rows
  if (!invitation || !first) return 'unknown'
  if (invitation.sent === '') return 'older'
  const { uid } = parseSentInvitation(invitation.sent)
  // One mail may answer one invitation only, in the recipient's own name.
  const isFromRecipient = (reply: Reply) => reply.attendee === invitation.email && reply.uid === uid
  if (rows.length > 1 || !replies.every(isFromRecipient)) return 'forged'
  const stamp = Math.max(...replies.map((reply) => reply.stamp))
  const lastStamp = invitation.answered_stamp
  if (
    replies.some(({ sequence }) => sequence < invitation.sequence) ||
    (lastStamp !== null && stamp <= Date.parse(lastStamp))
  )
    return 'older'
  await sql`
    update invitation set answered_stamp = least(${new Date(stamp).toISOString()}::timestamptz, now())
    where id = ${invitation.id}`.execute(db)
  const organiser = invitation.account_id
  for (const reply of replies) {
    const notice = {
      eventId: invitation.event_id,
      title: invitation.title ?? '',
      who: invitation.name || invitation.email,
      answer: reply.answer,
      comment: reply.comment,
    }
    const startsAt =
      reply.recurrenceId && (await startOf(db, invitation.event_id, reply.recurrenceId))
    if (reply.recurrenceId) {
      // Answers are stored per series, so an answer to one occurrence is only forwarded to the organiser.
      const when = startsAt && (await describeTime(db, invitation.event_id, startsAt))
      if (organiser && when && startsAt)
        await notifyOrganizer(db, organiser, { ...notice, when, startsAt })
      continue
    }
    const changed = await db
      .updateTable('event_participant')
      .set({ answer: reply.answer, comment: reply.comment, answered_at: sql`now()` })
      .where('event_id', '=', invitation.event_id)
      .where('email', '=', invitation.email)
      .where('account_id', 'is', null)
      .where((where) =>
        where.or([where('answer', '<>', reply.answer), where('comment', '<>', reply.comment)]),
      )
      .returning('id')
      .executeTakeFirst()
    if (changed && organiser) await notifyOrganizer(db, organiser, notice)
  }
  if (organiser) await announce(db, { kind: 'account', key: organiser })
  return 'answered'
}

/** The start of the occurrence a RECURRENCE-ID refers to, if the series has it. */
async function startOf(db: Db, eventId: string, id: NonNullable<Reply['recurrenceId']>) {
  const text = id.toString().slice(0, 19)
  const isUtc = id.zone?.tzid === 'UTC'
  const { rows } = await sql<{ startsAt: string }>`
    select o.starts_at as "startsAt" from event_occurrence o join event on event.id = o.event_id
    where o.event_id = ${eventId} and o.original_local = ${
      isUtc ? sql`${`${text}Z`}::timestamptz at time zone event.time_zone` : sql`${text}::timestamp`
    }`.execute(db)
  return rows[0]?.startsAt
}
