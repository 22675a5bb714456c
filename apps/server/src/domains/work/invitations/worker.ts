import { sql } from 'kysely'
import { describeTime } from '#domains/work/appointments/describe-time.ts'
import type { Db } from '#platform/database/db.ts'
import { type DueQueue, startDueQueue } from '#platform/delivery/due-queue.ts'
import { canSend, sendMail } from '#platform/delivery/outbox.ts'
import type { Platform } from '#platform/platform.ts'
import { replyAddress } from './address.ts'
import {
  countInvitedToday,
  type DueInvitation,
  listEvents,
  lockDueInvitations,
  secondsToNext,
  updateInvitation,
} from './queries.ts'
import { compareVersions, parseSentInvitation, writeCancel, writeRequest } from './write-itip.ts'

const batch = 50
/** Maximum outside participants a member invites per day; further invitations are sent later. */
export const maxPerDay = 200

/** Mails outside participants about changes to their events, on one node at a time. */
export function startInvitations(platform: Platform): Pick<DueQueue, 'stop'> {
  // Without a mail server the queue stays; events still to come are sent once there is one.
  if (!canSend(platform, 'email')) return { stop: async () => {} }
  const { db, log, topics } = platform
  const queue = startDueQueue(log, {
    name: 'invitations by mail',
    batch,
    takeBatch: () => db.transaction().execute((db) => sendDueInvitations(db, platform)),
    secondsToNext: () => secondsToNext(db),
  })
  topics.on(({ kind }) => {
    if (kind === 'invitation') queue.kick()
  })
  return queue
}

type InvitedEvent = Awaited<ReturnType<typeof listEvents>> extends Map<string, infer V> ? V : never

/** Call in a transaction. @returns number of due invitations */
async function sendDueInvitations(db: Db, platform: Platform): Promise<number> {
  const due = await lockDueInvitations(db, batch)
  const ids = [...new Set(due.map(({ event_id }) => event_id))]
  const events = await listEvents(db, ids, new URL(platform.origin()).host)
  const counts = await countInvitedToday(db, ids)
  const now = Temporal.Now.instant()
  for (const invitation of due) {
    const invitedEvent = invitation.partId === null ? undefined : events.get(invitation.event_id)
    if (!invitedEvent) await sendCancellation(db, invitation, now)
    else if (!invitation.sent && (counts.get(invitation.event_id) ?? 0) >= maxPerDay)
      await updateInvitation(db, invitation.id, { due_at: sql<string>`now() + interval '1 hour'` })
    else if (await sendRequest(db, platform, invitation, invitedEvent, now))
      counts.set(invitation.event_id, (counts.get(invitation.event_id) ?? 0) + 1)
  }
  return due.length
}

/** @returns whether this was a first invitation */
async function sendRequest(
  db: Db,
  { env }: Platform,
  invitation: DueInvitation,
  { event, version, organizer, endsAt }: InvitedEvent,
  now: Temporal.Instant,
): Promise<boolean> {
  // No invitations to events that are over.
  if (endsAt === null || Date.parse(endsAt) < now.epochMilliseconds) {
    await updateInvitation(db, invitation.id, {})
    return false
  }
  const address = replyAddress(env, invitation.token)
  const write = (sequence: number) =>
    writeRequest(
      {
        event,
        sequence,
        organizer: { name: organizer, address },
        attendee: {
          name: invitation.name || invitation.email,
          email: invitation.email,
          answer: (invitation.answer ?? 'none') as 'none',
        },
        answered: env.ATRIUM_MAIL_REPLIES !== undefined,
      },
      now,
    )
  const change =
    invitation.sent === '' ? 'times' : compareVersions(invitation.sent, write(invitation.sequence))
  if (change === 'nothing') {
    await updateInvitation(db, invitation.id, { ends_at: endsAt })
    return false
  }
  // After a cancellation, the sequence continues above it.
  const nextSequence = invitation.invited_at === null ? 0 : invitation.sequence + 1
  const sequence = change === 'times' ? Math.max(version, nextSequence) : invitation.sequence
  const content = write(sequence)
  await updateInvitation(db, invitation.id, {
    sent: content,
    sequence,
    ends_at: endsAt,
    ...(invitation.sent === '' && { invited_at: sql<string>`now()` }),
  })
  await sendMail(db, {
    to: invitation.email,
    ...(await requestTexts(db, invitation, { organizer, event })),
    calendar: { method: 'REQUEST', content, replyTo: address },
  })
  return invitation.sent === ''
}

async function requestTexts(
  db: Db,
  invitation: DueInvitation,
  { organizer, event }: Pick<InvitedEvent, 'organizer' | 'event'>,
) {
  const when = await describeTime(db, invitation.event_id)
  const isNew = invitation.sent === ''
  const zone = event.allDay ? '' : ` (${event.timeZone})`
  return {
    subject: `${isNew ? '邀请 Invitation' : '邀请更新 Updated invitation'}: ${event.title}`,
    text: [
      isNew
        ? `${organizer} 邀请你参加：${event.title}`
        : `${organizer} 更改了邀请你参加的日程：${event.title}`,
      `${when.zh}${zone}`,
      '',
      isNew
        ? `${organizer} invites you: ${event.title}`
        : `${organizer} changed an event you are invited to: ${event.title}`,
      `${when.en}${zone}`,
      ...(event.url ? ['', event.url] : []),
      ...(event.description ? ['', event.description] : []),
    ].join('\n'),
  }
}

/** Notifies an invitee that the event was cancelled or that they are no longer invited. */
async function sendCancellation(db: Db, invitation: DueInvitation, now: Temporal.Instant) {
  const isOver =
    invitation.ends_at !== null && Date.parse(invitation.ends_at) < now.epochMilliseconds
  if (invitation.sent === '' || isOver) {
    await updateInvitation(db, invitation.id, { sent: '' })
    return
  }
  const sequence = invitation.sequence + 1
  const content = writeCancel(invitation.sent, sequence, now)
  await updateInvitation(db, invitation.id, { sent: '', sequence })
  const { title, organizer } = parseSentInvitation(invitation.sent)
  await sendMail(db, {
    to: invitation.email,
    subject: `已取消 Cancelled: ${title}`,
    text: `你受邀的日程已取消，或不再邀请你：${title}\n\nThis event was cancelled, or you are not invited any more: ${title}`,
    calendar: { method: 'CANCEL', content, replyTo: organizer },
  })
}
