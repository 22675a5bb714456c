import { fillPersonalText } from '#domains/work/messages/personal-text.ts'
import type { Db } from '#platform/database/db.ts'
import { startDueQueue } from '#platform/delivery/due-queue.ts'
import { sendByChannel, sendMail, sendSms } from '#platform/delivery/outbox.ts'
import { extension } from '#platform/extension.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { escapeHtml } from '#platform/text/escape-html.ts'
import { cleanRichText, plainLines } from '#platform/text/rich-text.ts'
import {
  type Content,
  claimAccounts,
  claimQueued,
  getDefaultAttention,
  listAlreadyNotified,
  listContents,
  listQueued,
  listRecipients,
  listSubscriptions,
  type QueuedRow,
  type Recipient,
  secondsToNext,
  setDue,
} from './queries.ts'
import { decide } from './rules.ts'
import { unsubscribeAddress } from './unsubscribe.ts'
import type { WechatPayload } from './wechat.ts'

const batch = 500
/** If a node dies while deciding, another node takes over the accounts after this time. */
const leaseSeconds = 60
/** Maximum titles listed in a bundle. */
const maxBundleTitles = 3

/** Announces inbox messages, immediately or when the reader wants to be notified. */
export function startNotifications(platform: Platform): { stop: () => Promise<void> } {
  const { db, log, topics } = platform
  const queue = startDueQueue(log, {
    name: 'notifications',
    batch: 1,
    takeBatch: () => announceBatch(platform),
    secondsToNext: () => secondsToNext(db),
  })
  topics.on(({ kind }) => {
    if (kind === 'notification') queue.kick()
  })
  return { stop: queue.stop }
}

/** @returns number of accounts processed */
export async function announceBatch(platform: Platform, now = Date.now()): Promise<number> {
  const { db } = platform
  const accounts = await claimAccounts(db, leaseSeconds, batch)
  if (accounts.length === 0) return 0
  const [rows, recipients, attention, { timeZone }] = await Promise.all([
    listQueued(db, accounts),
    listRecipients(db, accounts),
    getDefaultAttention(db),
    currentSettings(platform),
  ])
  const mailed = rows.filter((row) => row.mails_content && row.channels.includes('mail'))
  // Read once per batch, because texts are long and have many readers.
  const contents = await listContents(db, [...new Set(mailed.map((row) => row.message_id))])
  for (const recipient of recipients) {
    const accountRows = rows.filter(({ account_id }) => account_id === recipient.id)
    const pending = accountRows.filter(({ gone, channels }) => !gone && channels.length > 0)
    const candidates = pending.map((row) => ({
      id: row.message_id,
      at: Date.parse(row.at),
      urgent: row.urgent,
      says: row.says,
    }))
    const zone = recipient.time_zone ?? timeZone
    const decision = decide(now, zone, recipient.settings ?? attention, candidates, recipient.sent)
    const rowsOf = (list: readonly { id: string }[]) =>
      list.flatMap(({ id }) => pending.filter(({ message_id }) => message_id === id))
    const obsolete = [
      ...accountRows.filter((row) => !pending.includes(row)).map(({ message_id }) => message_id),
      ...decision.repeated.map(({ id }) => id),
    ]
    await db.transaction().execute(async (db) => {
      await claimQueued(db, recipient.id, obsolete)
      for (const row of rowsOf(decision.urgent))
        await send(platform, db, recipient, [row], zone, contents)
      await send(platform, db, recipient, rowsOf(decision.bundle), zone, contents)
      if (decision.wakeAt !== undefined) await setDue(db, recipient.id, new Date(decision.wakeAt))
    })
  }
  return accounts.length
}

/** A message announced by one channel, with its outbox id. */
export type Notified = { messageId: string; channel: string; outboxId: string }
/** Called in the transaction that puts notifications into the outbox. */
export const notificationListeners =
  extension<(db: Db, accountId: string, notified: readonly Notified[]) => Promise<void>>()

/** Sends one notification about these messages by each channel that some of them use. */
async function send(
  platform: Platform,
  db: Db,
  recipient: Recipient,
  rows: readonly QueuedRow[],
  zone: string,
  contents: ReadonlyMap<string, Content>,
) {
  const claimed = await claimQueued(
    db,
    recipient.id,
    rows.map(({ message_id }) => message_id),
  )
  const list = rows.filter(({ message_id }) => claimed.has(message_id))
  const [first] = list
  if (!first) return
  const alreadyNotified = await listAlreadyNotified(db, recipient, list)
  const rowsFor = (channel: string) =>
    list.filter(
      ({ channels, message_id }) =>
        channels.includes(channel) && !alreadyNotified.has(`${message_id} ${channel}`),
    )
  const notified: Notified[] = []
  const record = (channel: string, rows: readonly QueuedRow[], outboxId: string) =>
    notified.push(...rows.map(({ message_id }) => ({ messageId: message_id, channel, outboxId })))
  const push = rowsFor('push')
  if (push.length > 0)
    for (const { id } of await listSubscriptions(db, recipient.id))
      record(
        'push',
        push,
        await sendByChannel(db, 'push', { to: id, ...pushOf(push) }, { seconds: 86_400 }),
      )
  for (const row of rowsFor('mail'))
    record(
      'mail',
      [row],
      await sendMail(db, mailOf(platform, recipient, row, contents.get(row.message_id))),
    )
  for (const row of rowsFor('wecom')) {
    const message = { to: recipient.id, ...wecomOf(platform, row) }
    record('wecom', [row], await sendByChannel(db, 'wecom', message, { seconds: 86_400 }))
  }
  for (const row of rowsFor('wechat')) {
    const message = { to: recipient.id, ...wechatOf(row, clockOf(row.at, zone)) }
    record('wechat', [row], await sendByChannel(db, 'wechat', message, { seconds: 86_400 }))
  }
  for (const row of rowsFor('sms')) {
    const { title } = row
    const sms = { to: recipient.mobile, text: title, template: 'message', values: { title } }
    record('sms', [row], await sendSms(db, sms))
  }
  for (const notify of notificationListeners.all()) await notify(db, recipient.id, notified)
  await db
    .insertInto('notification')
    .values({
      account_id: recipient.id,
      urgent: first.urgent,
      says: list.map(({ says }) => says),
      message_ids: [...claimed],
      channels: [...new Set(list.flatMap(({ channels }) => channels))].filter(
        (channel) => rowsFor(channel).length > 0,
      ),
    })
    .execute()
}

/** The payload in both languages, because only the service worker knows the reader's language. */
function pushOf(rows: readonly QueuedRow[]) {
  const [first] = rows
  if (!first) throw new Error('a notification says something')
  const isSingle = rows.length === 1
  const payload = {
    title: isSingle
      ? [first.title, first.title_en]
      : [`${rows.length} 条新消息`, `${rows.length} new messages`],
    body: isSingle
      ? [first.summary, first.summary_en]
      : [0, 1].map((language) =>
          rows
            .slice(0, maxBundleTitles)
            .map(({ title, title_en }) => (language === 1 && title_en) || title)
            .join('\n'),
        ),
    app: isSingle ? [first.app_name, first.app_name_en] : undefined,
    ids: rows.map(({ message_id }) => message_id),
    url: isSingle
      ? `/pagesA/message/detail?id=${first.message_id}`
      : '/pagesA/message/entry?unread=1',
    urgent: first.urgent,
  }
  return { subject: first.title, payload: JSON.stringify(payload) }
}

function wecomOf(platform: Platform, row: QueuedRow) {
  const { title, summary, message_id } = row
  const url = `${platform.origin()}/pagesA/message/detail?id=${message_id}`
  return { subject: title, payload: JSON.stringify({ title, description: summary, url }) }
}

function wechatOf({ title, summary, app_name, message_id }: QueuedRow, at: string) {
  const payload: WechatPayload = { id: message_id, title, summary, app: app_name, at }
  return { subject: title, payload: JSON.stringify(payload) }
}
/** The time format WeChat expects: 2026-03-09 14:05 */
const clockOf = (at: string, timeZone: string) =>
  Temporal.Instant.from(new Date(at).toISOString())
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ')

function mailOf(
  platform: Platform,
  recipient: Recipient,
  row: QueuedRow,
  content: Content | undefined,
) {
  const address = `${platform.origin()}/pagesA/message/detail?id=${row.message_id}`
  const app = `${row.app_name}${row.app_name_en && ` / ${row.app_name_en}`}`
  const personal = content && fillPersonalText({ ...content, variables: row.variables })
  const texts = [personal?.content, personal?.content_en].flatMap((html) => html || [])
  const hasContent = texts.length > 0
  return {
    to: recipient.email,
    subject: row.title_en ? `${row.title} / ${row.title_en}` : row.title,
    text: [...(hasContent ? texts.map(plainLines) : [row.summary, row.summary_en]), address, app]
      .filter(Boolean)
      .join('\n\n'),
    ...(hasContent && {
      html: [
        ...texts.map((html) => cleanRichText(html, platform.origin())),
        `<p><a href="${escapeHtml(address)}">${escapeHtml(address)}</a></p>`,
        `<p>${escapeHtml(app)}</p>`,
      ].join('<hr>'),
    }),
    unsubscribe: unsubscribeAddress(platform, recipient.id, row.kind_id),
  }
}
