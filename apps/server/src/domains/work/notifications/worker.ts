import { filledIn } from '#domains/work/messages/personal-text.ts'
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
  getDefaultAttention,
  listContents,
  listRecipients,
  listSubscriptions,
  listToldBefore,
  listWaiting,
  type Recipient,
  secondsToNext,
  setDue,
  takeWaiting,
  type WaitingRow,
} from './queries.ts'
import { decide } from './rules.ts'
import { unsubscribeAddress } from './unsubscribe.ts'
import type { WechatPayload } from './wechat.ts'

const batch = 500
/** If a node dies while deciding, another node takes over the accounts after this time. */
const leaseSeconds = 60
/** Maximum titles listed in a bundle. */
const namedInBundle = 3

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
    listWaiting(db, accounts),
    listRecipients(db, accounts),
    getDefaultAttention(db),
    currentSettings(platform),
  ])
  const mailed = rows.filter((row) => row.mails_content && row.channels.includes('mail'))
  // Read once per batch, because texts are long and have many readers.
  const contents = await listContents(db, [...new Set(mailed.map((row) => row.message_id))])
  for (const recipient of recipients) {
    const own = rows.filter(({ account_id }) => account_id === recipient.id)
    const open = own.filter(({ gone, channels }) => !gone && channels.length > 0)
    const waiting = open.map((row) => ({
      id: row.message_id,
      at: Date.parse(row.at),
      urgent: row.urgent,
      says: row.says,
    }))
    const zone = recipient.time_zone ?? timeZone
    const decision = decide(now, zone, recipient.settings ?? attention, waiting, recipient.sent)
    const rowsOf = (list: readonly { id: string }[]) =>
      list.flatMap(({ id }) => open.filter(({ message_id }) => message_id === id))
    const over = [
      ...own.filter((row) => !open.includes(row)).map(({ message_id }) => message_id),
      ...decision.repeated.map(({ id }) => id),
    ]
    await db.transaction().execute(async (db) => {
      await takeWaiting(db, recipient.id, over)
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
  rows: readonly WaitingRow[],
  zone: string,
  contents: ReadonlyMap<string, Content>,
) {
  const taken = await takeWaiting(
    db,
    recipient.id,
    rows.map(({ message_id }) => message_id),
  )
  const list = rows.filter(({ message_id }) => taken.has(message_id))
  const [first] = list
  if (!first) return
  const told = await listToldBefore(db, recipient, list)
  const by = (channel: string) =>
    list.filter(
      ({ channels, message_id }) =>
        channels.includes(channel) && !told.has(`${message_id} ${channel}`),
    )
  const notified: Notified[] = []
  const note = (channel: string, rows: readonly WaitingRow[], outboxId: string) =>
    notified.push(...rows.map(({ message_id }) => ({ messageId: message_id, channel, outboxId })))
  const push = by('push')
  if (push.length > 0)
    for (const { id } of await listSubscriptions(db, recipient.id))
      note(
        'push',
        push,
        await sendByChannel(db, 'push', { to: id, ...pushOf(push) }, { seconds: 86_400 }),
      )
  for (const row of by('mail'))
    note(
      'mail',
      [row],
      await sendMail(db, mailOf(platform, recipient, row, contents.get(row.message_id))),
    )
  for (const row of by('wecom')) {
    const message = { to: recipient.id, ...wecomOf(platform, row) }
    note('wecom', [row], await sendByChannel(db, 'wecom', message, { seconds: 86_400 }))
  }
  for (const row of by('wechat')) {
    const message = { to: recipient.id, ...wechatOf(row, clockOf(row.at, zone)) }
    note('wechat', [row], await sendByChannel(db, 'wechat', message, { seconds: 86_400 }))
  }
  for (const row of by('sms')) {
    const { title } = row
    const sms = { to: recipient.mobile, text: title, template: 'message', values: { title } }
    note('sms', [row], await sendSms(db, sms))
  }
  for (const tell of notificationListeners.all()) await tell(db, recipient.id, notified)
  await db
    .insertInto('notification')
    .values({
      account_id: recipient.id,
      urgent: first.urgent,
      says: list.map(({ says }) => says),
      message_ids: [...taken],
      channels: [...new Set(list.flatMap(({ channels }) => channels))].filter(
        (channel) => by(channel).length > 0,
      ),
    })
    .execute()
}

/** The payload in both languages, because only the service worker knows the reader's language. */
function pushOf(rows: readonly WaitingRow[]) {
  const [first] = rows
  if (!first) throw new Error('a notification says something')
  const one = rows.length === 1
  const payload = {
    title: one
      ? [first.title, first.title_en]
      : [`${rows.length} 条新消息`, `${rows.length} new messages`],
    body: one
      ? [first.summary, first.summary_en]
      : [0, 1].map((language) =>
          rows
            .slice(0, namedInBundle)
            .map(({ title, title_en }) => (language === 1 && title_en) || title)
            .join('\n'),
        ),
    app: one ? [first.app_name, first.app_name_en] : undefined,
    ids: rows.map(({ message_id }) => message_id),
    url: one ? `/pagesA/message/detail?id=${first.message_id}` : '/pagesA/message/entry?unread=1',
    urgent: first.urgent,
  }
  return { subject: first.title, payload: JSON.stringify(payload) }
}

function wecomOf(platform: Platform, row: WaitingRow) {
  const { title, summary, message_id } = row
  const url = `${platform.origin()}/pagesA/message/detail?id=${message_id}`
  return { subject: title, payload: JSON.stringify({ title, description: summary, url }) }
}

function wechatOf({ title, summary, app_name, message_id }: WaitingRow, at: string) {
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
  row: WaitingRow,
  written: Content | undefined,
) {
  const address = `${platform.origin()}/pagesA/message/detail?id=${row.message_id}`
  const app = `${row.app_name}${row.app_name_en && ` / ${row.app_name_en}`}`
  const own = written && filledIn({ ...written, variables: row.variables })
  const texts = [own?.content, own?.content_en].flatMap((html) => html || [])
  const whole = texts.length > 0
  return {
    to: recipient.email,
    subject: row.title_en ? `${row.title} / ${row.title_en}` : row.title,
    text: [...(whole ? texts.map(plainLines) : [row.summary, row.summary_en]), address, app]
      .filter(Boolean)
      .join('\n\n'),
    ...(whole && {
      html: [
        ...texts.map((html) => cleanRichText(html, platform.origin())),
        `<p><a href="${escapeHtml(address)}">${escapeHtml(address)}</a></p>`,
        `<p>${escapeHtml(app)}</p>`,
      ].join('<hr>'),
    }),
    unsubscribe: unsubscribeAddress(platform, recipient.id, row.kind_id),
  }
}
