import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { extension } from '#platform/extension.ts'
import type { Platform } from '#platform/platform.ts'

export type Sms = {
  /** a mobile number of the institution's country, or + and the country's code */
  to: string
  text: string
  /** which of the provider's approved texts this is, and what stands in it; `code` is hidden from operators */
  template: string
  values: Record<string, string>
}
export type Mail = {
  to: string
  subject: string
  text: string
  /** the same with its layout, sanitised */
  html?: string
  values?: Record<string, string>
  /** where one click ends this kind of mail (RFC 8058) */
  unsubscribe?: string
  /** what calendar programs read of it (RFC 6047) */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string; replyTo: string }
}
/** What another channel sends: `to` and `payload` are its own. */
export type ChannelMessage = { to: string; subject: string; payload: string }

/** A channel beside SMS and mail, which an area provides. */
export type OutboxChannel = {
  kind: 'push' | 'wecom' | 'wechat'
  /** @returns what sends a message; it throws Undeliverable where another try would be refused again */
  open: (platform: Platform) => (message: ChannelMessage) => Promise<void>
}
export const outboxChannels = extension<OutboxChannel>()

/** What became of a message of the outbox. */
export type OutboxResult = { id: string; status: 'sent' | 'failed'; error: string }
/** Told in the transaction that ends the work on messages. */
export const outboxListeners =
  extension<(db: Db, results: readonly OutboxResult[]) => Promise<void>>()

/** Whether anything reaches people this way. In a demo operators read everything. */
export function canSend({ env }: Pick<Platform, 'env'>, kind: 'mobile' | 'email'): boolean {
  if (env.ATRIUM_DEMO) return true
  return kind === 'mobile' ? env.ATRIUM_SMS !== 'none' : env.ATRIUM_MAIL_URL !== undefined
}

/** For messages that are worth nothing later: seconds until they are not sent any more. */
type Haste = { seconds?: number }

/**
 * Puts a short message on its way in the caller's transaction; it is sent right after the commit.
 * @returns its key in the outbox
 */
export const sendSms = (db: Db, sms: Sms, haste: Haste = {}) =>
  put(db, {
    ...sms,
    ...haste,
    kind: 'sms',
    subject: '',
  })

/**
 * Puts a mail on its way in the caller's transaction; it is sent right after the commit.
 * @returns its key in the outbox
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

/** Puts a message of another channel on its way in the caller's transaction. @returns its key in the outbox */
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

/** Takes back what has not been tried yet. @returns the keys of what was still there to take */
export async function takeBack(db: Db, ids: readonly string[]): Promise<string[]> {
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
