import { isIP } from 'node:net'
import type { ImapFlow } from 'imapflow'
import { isOutage } from '#platform/database/outage.ts'
import type { Environment } from '#platform/environment.ts'
import { calendarReplies } from '#platform/metrics.ts'
import { checkedLookup, readOutboundAllow } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { tokensIn } from './address.ts'
import { processReplies, type ReplyResult } from './answer.ts'
import { deferReply, deleteDeferral, listDeferred } from './reply-attempts.ts'
import { findCalendarPart, readReply } from './rules.ts'

/** Maximum mails per run; the rest follow a minute later. */
const maxMails = 200
/** Maximum size of a reply in bytes; calendar programs write about 2,000. */
const maxBytes = 256_000
const maxHeaders = 20_000
const timeoutSeconds = 20
const recipients = ['to', 'cc', 'delivered-to', 'x-original-to']

type Result = ReplyResult | 'other' | 'unreadable'

/**
 * Reads replies to invitations, oldest first. A mail is marked as seen only after its content is stored, so none is
 * lost, and reading it twice changes nothing. Mails that are not a valid reply from an invitee are also flagged for
 * manual review. A mail that causes an error is retried with growing delays, so that it does not block the others.
 */
export async function readReplies(platform: Platform, limit = maxMails): Promise<void> {
  const { env, log } = platform
  let client: ImapFlow | undefined
  try {
    client = await openMailbox(env)
  } catch (error) {
    calendarReplies.inc({ result: 'unreachable' })
    log.warn(
      { err: error },
      'the mailbox for answers to invitations (ATRIUM_MAIL_REPLIES) cannot be read',
    )
    return
  }
  try {
    const validity = client.mailbox ? String(client.mailbox.uidValidity) : '0'
    const unseen = (await client.search({ seen: false }, { uid: true })) || []
    const deferred = await listDeferred(platform.db, validity)
    const pending = unseen.map(String).filter((uid) => !deferred.has(uid))
    for (const uid of pending.slice(0, limit))
      await processMail(platform, client, { validity, uid })
  } finally {
    client.close()
  }
}

/** Connects to the mailbox for reading and marking. @throws if it cannot be opened */
export async function openMailbox(
  env: Pick<Environment, 'ATRIUM_MAIL_REPLIES' | 'ATRIUM_OUTBOUND_ALLOW'>,
): Promise<ImapFlow> {
  const url = new URL(env.ATRIUM_MAIL_REPLIES ?? '')
  const secure = url.protocol === 'imaps:'
  const isUnencrypted = url.searchParams.get('tls') === 'off'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(url.port || (secure ? 993 : 143))
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    host: await resolveHost(host, port, env.ATRIUM_OUTBOUND_ALLOW, !isUnencrypted),
    ...(!isIP(host) && { servername: host }),
    port,
    secure,
    doSTARTTLS: !secure && !isUnencrypted,
    auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    tls: { minVersion: 'TLSv1.2' },
    logger: false,
    disableAutoIdle: true,
    maxLiteralSize: maxBytes * 2,
    connectionTimeout: timeoutSeconds * 1000,
    greetingTimeout: timeoutSeconds * 1000,
    socketTimeout: timeoutSeconds * 1000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.mailboxOpen(decodeURIComponent(url.pathname.slice(1)) || 'INBOX')
    return client
  } catch (error) {
    client.close()
    throw error
  }
}

async function processMail(
  platform: Platform,
  client: ImapFlow,
  mail: { validity: string; uid: string },
) {
  const { uid } = mail
  let result: Result | 'given_up'
  try {
    result = await readMail(platform, client, uid)
  } catch (error) {
    // Not marked: the next run starts with it again.
    if (isOutage(error) || !client.usable) throw error
    calendarReplies.inc({ result: 'failed' })
    const { attempts, isLast } = await deferReply(platform.db, mail)
    platform.log.error(
      { err: error, uid, attempts },
      'an answer to an invitation could not be processed',
    )
    if (!isLast) return
    result = 'given_up'
  }
  const isHandled = result === 'answered' || result === 'older'
  await client.messageFlagsAdd(uid, isHandled ? ['\\Seen'] : ['\\Seen', '\\Flagged'], { uid: true })
  calendarReplies.inc({ result })
  await deleteDeferral(platform.db, mail)
}

async function readMail({ db, env }: Platform, client: ImapFlow, uid: string): Promise<Result> {
  const mail = await client.fetchOne(
    uid,
    { bodyStructure: true, headers: recipients },
    { uid: true },
  )
  const part = mail ? findCalendarPart(mail.bodyStructure) : undefined
  if (!mail || !part) return 'other'
  if (part.size > maxBytes) return 'unreadable'
  const { content } = await client.download(uid, part.part, { uid: true, maxBytes })
  if (!content) return 'unreadable'
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk as Buffer)
  const replies = readReply(Buffer.concat(chunks).toString('utf8'))
  if (typeof replies === 'string') return replies
  const addressText = `${mail.headers?.toString('utf8').slice(0, maxHeaders) ?? ''}\n${replies.map(({ organizer }) => organizer).join('\n')}`
  const tokens = tokensIn(env, addressText)
  if (tokens.length === 0) return 'unknown'
  return db.transaction().execute((db) => processReplies(db, replies, tokens))
}

/** Resolves the host to an allowed address. @throws OutboundError */
function resolveHost(host: string, port: number, allow: string | undefined, encrypted: boolean) {
  const lookup = checkedLookup(`${host}:${port}`, host, port, readOutboundAllow(allow), encrypted)
  if (isIP(host)) return host
  return new Promise<string>((resolve, reject) =>
    lookup(host, {}, (error, address) => (error ? reject(error) : resolve(String(address)))),
  )
}
