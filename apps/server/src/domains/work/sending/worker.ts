import type { Recipient, SendingDraft } from '@atrium/contract/work/sending'
import { substituteVariables } from '@atrium/rules/messages/variables'
import { sql } from 'kysely'
import { deliver, sendMessage } from '#domains/work/messages/send.ts'
import { writeAudit } from '#platform/audit.ts'
import type { Db } from '#platform/database/db.ts'
import { inSavepoint } from '#platform/database/in-savepoint.ts'
import { startDueQueue } from '#platform/delivery/due-queue.ts'
import { sendMail, sendSms } from '#platform/delivery/outbox.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { escapeHtml } from '#platform/text/escape-html.ts'
import { cleanRichText, plainLines } from '#platform/text/rich-text.ts'
import { lockFiles } from './files.ts'
import { answerOf } from './ledger.ts'
import { sendingMessages } from './messages.ts'
import { getPolicy, nextSendingTime } from './policy.ts'
import { setStopped, setWithdrawn } from './queries.ts'
import { type Channel, type Kind, storeRecipients } from './recipients.ts'
import { remindBatch } from './reminders.ts'
import { mayStillSend } from './senders.ts'
import { type ComposedText, compose, firstLine, missingVariables, valuesOf } from './texts.ts'

/** Recipients processed per transaction. */
const recipientsPerBatch = 2000
/** Delay before a message whose batch failed is tried again. */
const retryAfterMs = 60_000

/** Sends due messages; a message is processed by one node at a time. */
export function startSendings(platform: Platform): { stop: () => Promise<void> } {
  const { db, log, topics } = platform
  const queue = startDueQueue(log, {
    name: 'sendings',
    batch: 1,
    takeBatch: () => sendBatch(platform),
    async secondsToNext() {
      if ((await getPolicy(db)).held) return null
      const { seconds } = await selectDue(db)
        .select(sql<number | null>`extract(epoch from min(next_at) - now())::float8`.as('seconds'))
        .executeTakeFirstOrThrow()
      return seconds
    },
  })
  topics.on(({ kind }) => {
    if (kind === 'sending') queue.kick()
  })
  return queue
}

const selectDue = (db: Db) =>
  db
    .selectFrom('sending')
    .where('status', 'in', ['scheduled', 'sending'])
    .where('paused_at', 'is', null)

/**
 * Starts or continues the next due message, or else a reminder. The recipients are fixed in the transaction that starts
 * a message, and each batch is one transaction: if a node dies, nobody is skipped and nobody is notified twice.
 * @returns number of batches processed
 */
export async function sendBatch(platform: Platform, batch?: number): Promise<number> {
  const { held, hours } = await getPolicy(platform.db)
  if (held) return 0
  const now = Date.now()
  const opensAt = hours
    ? nextSendingTime(hours, (await currentSettings(platform)).timeZone, now)
    : now
  return platform.db.transaction().execute(async (db) => {
    const sending = await lockDueMessage(db)
    if (!sending) return remindBatch(db, batch)
    await inSavepoint(
      db,
      async () => {
        if (!(await mayStillSend(db, sending))) await endSending(db, sending)
        // Outside the sending hours only urgent messages go out.
        else if (opensAt > now && sending.kind !== 'urgent' && !sending.test)
          await scheduleNext(db, sending.id, new Date(opensAt))
        else await continueMessage(db, sending, batch)
      },
      async (error) => {
        // It stays locked here and is postponed.
        platform.log.error(
          { err: error, sendingId: sending.id },
          'a message could not be sent; it is tried again later',
        )
        await scheduleNext(db, sending.id, new Date(Date.now() + retryAfterMs))
      },
    )
    return 1
  })
}

/**
 * Processes a batch of the next due message, without the checks of `sendBatch`.
 * @returns number of batches processed
 */
export async function processDueMessage(db: Db, batch?: number): Promise<number> {
  const sending = await lockDueMessage(db)
  if (!sending) return 0
  await continueMessage(db, sending, batch)
  return 1
}

const lockDueMessage = (db: Db) =>
  selectDue(db)
    .selectAll()
    .where('next_at', '<=', sql<string>`now()`)
    .orderBy('next_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

type DueMessage = NonNullable<Awaited<ReturnType<typeof lockDueMessage>>>

async function continueMessage(db: Db, sending: DueMessage, batch = recipientsPerBatch) {
  const { message_id } = sending
  if (message_id === null) await startMessage(db, sending)
  else await sendTo(db, { ...sending, message_id }, batch)
}

/** Ends a message whose author may no longer send; what was delivered stays. */
async function endSending(db: Db, { id, message_id, author_account_id }: DueMessage) {
  const isStarted = message_id !== null
  await (isStarted ? setStopped(db, id) : setWithdrawn(db, id))
  await writeAudit(db, {
    channel: 'job',
    operator: 'sendings',
    action: isStarted ? 'stop sending' : 'withdraw sending',
    details: { sendId: id, author: author_account_id, reason: 'session.forbidden' },
  })
}

const scheduleNext = (db: Db, id: string, at: Date) =>
  db.updateTable('sending').set({ next_at: at.toISOString() }).where('id', '=', id).execute()

type Row = {
  id: string
  kind: string
  test: boolean
  per_minute: number | null
  choices: unknown
  author: string
  format: string
  variables: unknown
  title: string
  title_en: string
  content: string
  content_en: string
  url: string
  files: unknown
  channels: string[]
  asks_confirmation: boolean
  confirm_until: string | null
  chosen: unknown
  within: string[] | null
}

async function startMessage(db: Db, sending: Row) {
  const channels = sending.channels as Channel[]
  const { members, recipients } = await storeRecipients(
    db,
    sending.id,
    sending.chosen as Recipient[],
    channels,
    sending.within,
    sending.kind as Kind,
  )
  const choices = sending.choices as { text: string; textEn: string }[]
  // Their owner may have deleted some since the message was written.
  const files = await lockFiles(db, sending.files as SendingDraft['files'])
  const text = compose(sending)
  const { id } = await sendMessage(db, {
    kind: sendingMessages.kinds[sending.kind as Kind],
    urgent: sending.kind === 'urgent' || sending.test,
    to: { accounts: [] },
    title: { zh: text.title, en: text.title_en },
    summary: { zh: firstLine(text.content), en: firstLine(text.content_en) },
    content: { zh: text.content, en: text.content_en },
    variables: text.open,
    mailsContent: true,
    sender: { zh: sending.author },
    url: sending.url,
    channels,
    choices: choices.map((choice, index) => ({ ...choice, value: answerOf(index) })),
    asksConfirmation: sending.asks_confirmation,
    confirmUntil: sending.confirm_until ?? undefined,
    attachments: files,
    source: { code: '#sending', key: sending.id },
  })
  await db
    .updateTable('sending')
    .set({
      status: 'sending',
      recipients,
      members,
      message_id: id,
      // The ledger shows what was attached.
      files: JSON.stringify(files),
    })
    .where('id', '=', sending.id)
    .execute()
}

/** Spreads a per-minute rate over waves every few seconds instead of one burst per minute. */
const waveOf = (perMinute: number) => Math.max(1, Math.ceil(perMinute / 6))

async function sendTo(db: Db, sending: Row & { message_id: string }, limit: number) {
  const { per_minute } = sending
  const batch = per_minute === null ? limit : Math.min(limit, waveOf(per_minute))
  const text = compose(sending)
  const needed = text.open.filter((name) => !Object.hasOwn(text.fallbacks, name))
  const rows = await db
    .selectFrom('sending_recipient as recipient')
    .leftJoin('account', 'account.id', 'recipient.account_id')
    .leftJoin('person', 'person.id', 'account.person_id')
    .leftJoin('organization', 'organization.id', 'account.organization_id')
    .select([
      'recipient.id',
      'recipient.account_id',
      'recipient.contact_kind',
      'recipient.contact',
      'account.status',
      sql<boolean>`${missingVariables(needed)} <> '{}'`.as('lacks'),
    ])
    .where('recipient.sending_id', '=', sending.id)
    .where('recipient.delivered_at', 'is', null)
    .where('recipient.failure', 'is', null)
    .orderBy('recipient.id')
    .limit(batch)
    .execute()
  const [externalRows, members] = [
    rows.filter(({ contact_kind }) => contact_kind !== null),
    rows.filter(({ contact_kind }) => contact_kind === null),
  ]
  // Outside contacts have no variable values.
  const external = needed.length > 0 ? [] : externalRows
  const closed = members.filter(({ status }) => status === null || status === 'disabled')
  const missingValues = [
    ...(needed.length > 0 ? externalRows : []),
    ...members.filter((row) => row.lacks && !closed.includes(row)),
  ]
  const reachable = members.filter((row) => !row.lacks && !closed.includes(row))
  await deliver(
    db,
    sending.message_id,
    reachable.flatMap(({ account_id }) => account_id ?? []),
    text.open.length === 0
      ? undefined
      : sql`(select ${valuesOf(text)} from account join person on person.id = account.person_id
          join organization on organization.id = account.organization_id where account.id = account_id)`,
  )
  const mailParts = externalMailOf(sending, text)
  for (const { id, contact_kind, contact } of external) {
    const isMail = contact_kind === 'email'
    const outboxId = isMail
      ? await sendMail(db, { to: contact, ...mailParts.mail })
      : await sendSms(db, {
          to: contact,
          text: mailParts.title,
          template: 'message',
          values: { title: mailParts.title },
        })
    await db
      .insertInto('sending_channel')
      .values({
        outbox_id: outboxId,
        sending_id: sending.id,
        recipient_id: id,
        channel: isMail ? 'mail' : 'sms',
      })
      .execute()
  }
  const markRecipients = (
    list: { id: string }[],
    values: { failure: string } | { delivered_at: string },
  ) =>
    db
      .updateTable('sending_recipient')
      .set(values)
      .where('sending_id', '=', sending.id)
      .where('id', '=', sql<string>`any(${list.map(({ id }) => id)}::bigint[])`)
      .execute()
  const now = new Date().toISOString()
  await markRecipients([...reachable, ...external], { delivered_at: now })
  if (closed.length > 0) await markRecipients(closed, { failure: 'closed' })
  if (missingValues.length > 0) await markRecipients(missingValues, { failure: 'variable' })
  await db
    .updateTable('sending')
    .set({
      dealt_with: sql<number>`dealt_with + ${rows.length}`,
      delivered_members: sql<number>`delivered_members + ${reachable.length}`,
      failed_members: sql<number>`failed_members + ${members.length - reachable.length}`,
    })
    .where('id', '=', sending.id)
    .execute()
  if (rows.length === batch && per_minute !== null)
    await scheduleNext(db, sending.id, new Date(Date.now() + (batch / per_minute) * 60_000))
  if (rows.length < batch)
    await db
      .updateTable('sending')
      .set({ status: 'sent', finished_at: sql`now()` })
      .where('id', '=', sending.id)
      .execute()
}

/** The mail for outside contacts: the whole text, with fallbacks in place of member variables. */
function externalMailOf({ author, url }: Row, { fallbacks, ...text }: ComposedText) {
  const title = substituteVariables(text.title, fallbacks)
  const titleEn = substituteVariables(text.title_en, fallbacks, { english: true })
  // Sanitised again: a fallback may be part of a link address.
  const content = cleanRichText(substituteVariables(text.content, fallbacks, { html: true }))
  const contentEn = cleanRichText(
    substituteVariables(text.content_en, fallbacks, { html: true, english: true }),
  )
  const address = url.startsWith('https://') ? url : ''
  return {
    title,
    mail: {
      subject: titleEn ? `${title} / ${titleEn}` : title,
      text: [plainLines(content), plainLines(contentEn), address, author]
        .filter(Boolean)
        .join('\n\n'),
      html: [
        content,
        contentEn,
        address && `<p><a href="${escapeHtml(address)}">${escapeHtml(address)}</a></p>`,
        `<p>${escapeHtml(author)}</p>`,
      ]
        .filter(Boolean)
        .join('<hr>'),
    },
  }
}
