import { sql } from 'kysely'
import { whenWords } from '#domains/work/appointments/words.ts'
import type { Db } from '#platform/database/db.ts'
import { type DueQueue, startDueQueue } from '#platform/delivery/due-queue.ts'
import { canSend, sendMail } from '#platform/delivery/outbox.ts'
import type { Platform } from '#platform/platform.ts'
import { replyAddress } from './address.ts'
import {
  countOfToday,
  type Due,
  listEvents,
  secondsToNext,
  takeDue,
  updateInvitation,
} from './queries.ts'
import { changeBetween, readSent, writeCancel, writeRequest } from './write-itip.ts'

const batch = 50
/** Maximum outside participants a member invites per day; further invitations are sent later. */
export const maxOfDay = 200

/** Mails outside participants about changes to their events, on one node at a time. */
export function startInvitations(platform: Platform): Pick<DueQueue, 'stop'> {
  // Without a mail server the queue stays; events still to come are sent once there is one.
  if (!canSend(platform, 'email')) return { stop: async () => {} }
  const { db, log, topics } = platform
  const queue = startDueQueue(log, {
    name: 'invitations by mail',
    batch,
    takeBatch: () => db.transaction().execute((db) => sendDue(db, platform)),
    secondsToNext: () => secondsToNext(db),
  })
  topics.on(({ kind }) => {
    if (kind === 'invitation') queue.kick()
  })
  return queue
}

type Known = Awaited<ReturnType<typeof listEvents>> extends Map<string, infer V> ? V : never

/** Call in a transaction. @returns number of due invitations */
async function sendDue(db: Db, platform: Platform): Promise<number> {
  const due = await takeDue(db, batch)
  const ids = [...new Set(due.map(({ event_id }) => event_id))]
  const events = await listEvents(db, ids, new URL(platform.origin()).host)
  const counts = await countOfToday(db, ids)
  const now = Temporal.Now.instant()
  for (const one of due) {
    const known = one.partId === null ? undefined : events.get(one.event_id)
    if (!known) await cancel(db, one, now)
    else if (!one.sent && (counts.get(one.event_id) ?? 0) >= maxOfDay)
      await updateInvitation(db, one.id, { due_at: sql<string>`now() + interval '1 hour'` })
    else if (await request(db, platform, one, known, now))
      counts.set(one.event_id, (counts.get(one.event_id) ?? 0) + 1)
  }
  return due.length
}

/** @returns whether this was a first invitation */
async function request(
  db: Db,
  { env }: Platform,
  one: Due,
  { event, version, organizer, endsAt }: Known,
  now: Temporal.Instant,
): Promise<boolean> {
  // No invitations to events that are over.
  if (endsAt === null || Date.parse(endsAt) < now.epochMilliseconds) {
    await updateInvitation(db, one.id, {})
    return false
  }
  const address = replyAddress(env, one.token)
  const write = (sequence: number) =>
    writeRequest(
      {
        event,
        sequence,
        organizer: { name: organizer, address },
        attendee: {
          name: one.name || one.email,
          email: one.email,
          answer: (one.answer ?? 'none') as 'none',
        },
        answered: env.ATRIUM_MAIL_REPLIES !== undefined,
      },
      now,
    )
  const change = one.sent === '' ? 'times' : changeBetween(one.sent, write(one.sequence))
  if (change === 'nothing') {
    await updateInvitation(db, one.id, { ends_at: endsAt })
    return false
  }
  // After a cancellation, the sequence continues above it.
  const nextSequence = one.invited_at === null ? 0 : one.sequence + 1
  const sequence = change === 'times' ? Math.max(version, nextSequence) : one.sequence
  const content = write(sequence)
  await updateInvitation(db, one.id, {
    sent: content,
    sequence,
    ends_at: endsAt,
    ...(one.sent === '' && { invited_at: sql<string>`now()` }),
  })
  await sendMail(db, {
    to: one.email,
    ...(await requestWords(db, one, { organizer, event })),
    calendar: { method: 'REQUEST', content, replyTo: address },
  })
  return one.sent === ''
}

async function requestWords(
  db: Db,
  one: Due,
  { organizer, event }: Pick<Known, 'organizer' | 'event'>,
) {
  const when = await whenWords(db, one.event_id)
  const isNew = one.sent === ''
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
async function cancel(db: Db, one: Due, now: Temporal.Instant) {
  const isOver = one.ends_at !== null && Date.parse(one.ends_at) < now.epochMilliseconds
  if (one.sent === '' || isOver) {
    await updateInvitation(db, one.id, { sent: '' })
    return
  }
  const sequence = one.sequence + 1
  const content = writeCancel(one.sent, sequence, now)
  await updateInvitation(db, one.id, { sent: '', sequence })
  const { title, organizer } = readSent(one.sent)
  await sendMail(db, {
    to: one.email,
    subject: `已取消 Cancelled: ${title}`,
    text: `你受邀的日程已取消，或不再邀请你：${title}\n\nThis event was cancelled, or you are not invited any more: ${title}`,
    calendar: { method: 'CANCEL', content, replyTo: organizer },
  })
}
