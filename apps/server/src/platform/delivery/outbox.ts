import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import type { Platform } from '#platform/platform.ts'

export type Sms = {
  /** a mobile number of the institution's country, or + and the country's code */
  to: string
  text: string
  /** which of the provider's approved texts this is, and what stands in it; `code` is hidden from operators */
  template: string
  values: Record<string, string>
}
export type Mail = { to: string; subject: string; text: string; values?: Record<string, string> }

/** Whether anything reaches people this way. In a demo operators read everything. */
export function canSend({ env }: Pick<Platform, 'env'>, kind: 'mobile' | 'email'): boolean {
  if (env.ATRIUM_DEMO) return true
  return kind === 'mobile' ? env.ATRIUM_SMS !== 'none' : env.ATRIUM_MAIL_URL !== undefined
}

/** For messages that are worth nothing later: seconds until they are not sent any more. */
type Haste = { seconds?: number }

/** Puts a short message on its way in the caller's transaction; it is sent right after the commit. */
export const sendSms = (db: Db, sms: Sms, haste: Haste = {}) =>
  put(db, {
    ...sms,
    ...haste,
    kind: 'sms',
    subject: '',
  })

/** Puts a mail on its way in the caller's transaction; it is sent right after the commit. */
export const sendMail = (db: Db, mail: Mail, haste: Haste = {}) =>
  put(db, { ...mail, ...haste, kind: 'mail', template: '' })

async function put(
  db: Db,
  message: {
    kind: 'sms' | 'mail'
    to: string
    subject: string
    text: string
    template: string
    values?: Record<string, string>
    seconds?: number
  },
) {
  await db
    .insertInto('outbox')
    .values({
      kind: message.kind,
      recipient: message.to,
      subject: message.subject,
      body: message.text,
      template: message.template,
      template_values: JSON.stringify(message.values ?? {}),
      good_until: message.seconds
        ? sql<string>`now() + make_interval(secs => ${message.seconds})`
        : null,
    })
    .execute()
  await announce(db, { kind: 'outbox', key: message.kind })
}
