import type { Db } from './db.ts'

export type Sms = {
  /** a mobile number of the institution's country, or + and the country's code */
  to: string
  text: string
  /** which of the provider's approved texts this is, and what stands in it */
  template: string
  values: Record<string, string>
}
export type Mail = { to: string; subject: string; text: string }

/** Puts a short message on its way in the caller's transaction; a job sends it. */
export const sendSms = (db: Db, sms: Sms) =>
  db
    .insertInto('outbox')
    .values({
      kind: 'sms',
      recipient: sms.to,
      body: sms.text,
      template: sms.template,
      template_values: JSON.stringify(sms.values),
    })
    .execute()

/** Puts a mail on its way in the caller's transaction; a job sends it. */
export const sendMail = (db: Db, mail: Mail) =>
  db
    .insertInto('outbox')
    .values({ kind: 'mail', recipient: mail.to, subject: mail.subject, body: mail.text })
    .execute()
