import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { extension } from '#platform/extension.ts'
import type { Platform } from '#platform/platform.ts'

export type Sms = {
  /** a domestic mobile number, or + and the country code */
  to: string
  text: string
  /** the provider's approved template and its values; `code` is hidden from operators */
  template: string
  values: Record<string, string>
}
export type Mail = {
  to: string
  subject: string
  text: string
  /** HTML version, sanitised */
  html?: string
  values?: Record<string, string>
  /** one-click unsubscribe address (RFC 8058) */
  unsubscribe?: string
  /** calendar part for calendar programs (RFC 6047) */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string; replyTo: string }
}
/** A message for another channel; the channel defines `to` and `payload`. */
export type ChannelMessage = { to: string; subject: string; payload: string }

/** A channel besides SMS and mail, provided by an area. */
export type OutboxChannel = {
  kind: 'push' | 'wecom' | 'wechat'
  /** @returns a function that sends a message and throws Undeliverable if retrying is pointless */
  open: (platform: Platform) => (message: ChannelMessage) => Promise<void>
}
export const outboxChannels = extension<OutboxChannel>()

/** The final result of a message. */
export type OutboxResult = { id: string; status: 'sent' | 'failed'; error: string }
/** Called in the transaction that records the results. */
export const outboxListeners =
  extension<(db: Db, results: readonly OutboxResult[]) => Promise<void>>()

/** Whether messages of this kind can be sent. In a demo operators read all of them. */
export function canSend({ env }: Pick<Platform, 'env'>, kind: 'mobile' | 'email'): boolean {
  if (env.ATRIUM_DEMO) return true
  return kind === 'mobile' ? env.ATRIUM_SMS !== 'none' : env.ATRIUM_MAIL_URL !== undefined
}

/** For messages that expire: seconds until they are no longer sent. */
type Haste = { seconds?: number }

/**
 * Queues an SMS in the caller's transaction; it is sent right after the commit.
 * @returns its id in the outbox
 */
export const sendSms = (db: Db, sms: Sms, haste: Haste = {}) =>
  put(db, {
    ...sms,
    ...haste,
    kind: 'sms',
    subject: '',
  })

/**
 * Queues a mail in the caller's transaction; it is sent right after the commit.
 * @returns its id in the outbox
 */
export const sendMail = (db: Db, { unsubscribe, calendar, ...mail }: Mail, haste: Haste = {}) =>
  put(db, {
    ...mail,
    ...haste,
    kind: 'mail',
    template: '',
    values: {
      ...mail.values,
      ...(unsubscribe && { unsubscribe }),
      ...(calendar && { calendar: JSON.stringify(calendar) }),
    },
  })

/** Queues a message for another channel in the caller's transaction. @returns its id in the outbox */
export const sendByChannel = (
  db: Db,
  kind: OutboxChannel['kind'],
  { to, subject, payload }: ChannelMessage,
  haste: Haste = {},
) => put(db, { ...haste, kind, to, subject, text: payload, template: '' })

async function put(
  db: Db,
  message: {
    kind: 'sms' | 'mail' | OutboxChannel['kind']
    to: string
    subject: string
    text: string
    html?: string
    template: string
    values?: Record<string, string>
    seconds?: number
  },
) {
  const { id } = await db
    .insertInto('outbox')
    .values({
      kind: message.kind,
      recipient: message.to,
      subject: message.subject,
      body: message.text,
      html: message.html ?? '',
      template: message.template,
      template_values: JSON.stringify(message.values ?? {}),
      good_until: message.seconds
        ? sql<string>`now() + make_interval(secs => ${message.seconds})`
        : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await announce(db, { kind: 'outbox', key: message.kind })
  return id
}

/** Cancels messages that have not been tried yet. @returns the ids of the cancelled ones */
export async function cancelQueued(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .deleteFrom('outbox')
    .where('id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .where('tries', '=', 0)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
