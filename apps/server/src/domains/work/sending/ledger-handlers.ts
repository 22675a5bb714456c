import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Sending, SendingResult } from '@atrium/contract/work/sending'
import { sendingLedger } from '@atrium/contract/work/sending-ledger'
import { withdraw } from '#domains/work/messages/after-sending.ts'
import { writeAudit } from '#platform/audit.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { cancelQueued } from '#platform/delivery/outbox.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { pageOf, pageSizeOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { cleanRichText } from '#platform/text/rich-text.ts'
import { lockPending, recordDecision, withAudit } from './approval.ts'
import { exportRecipients } from './export.ts'
import {
  countOutcomes,
  curveOf,
  deleteChannelRecords,
  listRecipients,
  listUnsent,
  reportsReading,
  type SentMessage,
} from './ledger.ts'
import {
  countPending,
  displayKind,
  findSending,
  listPending,
  lockSending,
  type SendingRow,
  setPaused,
  setStopped,
  setWithdrawn,
} from './queries.ts'
import { getSender } from './senders.ts'

/** Minimum interval between two reminders of one message, in ms. */
const reminderIntervalMs = 3_600_000

export const sendingLedgerHandlers: Handlers<typeof sendingLedger> = {
  result: ({ db, viewer, query }) => resultOf(db, viewer, query.sendId),

  async recipients({ db, viewer, query }) {
    const sent = toSentMessage(await getOwnSending(db, viewer, query.sendId))
    if (query.status === 'read' && !reportsReading(sent))
      fail('request.invalid', { fields: { status: 'choice' } })
    return listRecipients(db, sent, {
      cursor: query.cursor,
      pageSize: pageSizeOf(query),
      status: query.status,
    })
  },

  withdraw: ({ platform, viewer, request, body: { sendId } }) =>
    withAudit(platform, sendingLedger.withdraw, viewer, request, async (db) => {
      const sending = await lockOwnSending(db, viewer, sendId)
      if (sending.status !== 'withdrawn') {
        if (sending.message_id !== null) await withdraw(db, sending.message_id)
        await deleteChannelRecords(db, await cancelQueued(db, await listUnsent(db, sendId)))
        await setWithdrawn(db, sendId)
      }
      return resultOf(db, viewer, sendId)
    }),

  pause: ({ platform, viewer, request, body: { sendId } }) =>
    withAudit(platform, sendingLedger.pause, viewer, request, async (db) => {
      await lockUnfinished(db, viewer, sendId)
      await setPaused(db, sendId, true)
      return resultOf(db, viewer, sendId)
    }),
  resume: ({ platform, viewer, request, body: { sendId } }) =>
    withAudit(platform, sendingLedger.resume, viewer, request, async (db) => {
      await lockUnfinished(db, viewer, sendId)
      await setPaused(db, sendId, false)
      await announce(db, { kind: 'sending', key: '' })
      return resultOf(db, viewer, sendId)
    }),
  stop: ({ platform, viewer, request, body: { sendId } }) =>
    withAudit(platform, sendingLedger.stop, viewer, request, async (db) => {
      const { message_id } = await lockUnfinished(db, viewer, sendId)
      // Nothing is delivered yet: the message can only be withdrawn.
      if (message_id === null) fail('sending.over')
      await setStopped(db, sendId)
      return resultOf(db, viewer, sendId)
    }),

  remind: ({ platform, viewer, request, body: { sendId, channels } }) =>
    withAudit(platform, sendingLedger.remind, viewer, request, async (db) => {
      await lockOwnSending(db, viewer, sendId)
      const sending = await getOwnSending(db, viewer, sendId)
      if (!reportsReading(toSentMessage(sending))) fail('sending.nothing_asked')
      const closed = sending.confirmUntil !== null && Date.parse(sending.confirmUntil) < Date.now()
      if (!['sending', 'sent', 'stopped', 'paused'].includes(sending.status) || closed)
        fail('sending.over')
      const { reminders } = await countOutcomes(db, toSentMessage(sending), [])
      const last = reminders.at(-1)
      if (last && Date.parse(last.at) > Date.now() - reminderIntervalMs)
        fail('sending.reminded', { retryAfter: 3600 })
      await db
        .insertInto('sending_reminder')
        .values({ sending_id: sendId, channels: [...channels] })
        .execute()
      await announce(db, { kind: 'sending', key: '' })
      return resultOf(db, viewer, sendId)
    }),

  async curve({ db, viewer, query }) {
    return curveOf(db, toSentMessage(await getOwnSending(db, viewer, query.sendId)))
  },

  async export({ db, viewer, query, reply }) {
    const sent = toSentMessage(await getOwnSending(db, viewer, query.sendId))
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="recipients-${query.sendId}.csv"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(exportRecipients(db, sent), { objectMode: false }))
  },

  async evidence({ platform, viewer, query: { sendId }, reply }) {
    const { db } = platform
    const sending = await getOwnSending(db, viewer, sendId)
    if (!['sent', 'stopped', 'withdrawn'].includes(sending.status)) fail('sending.not_over')
    const hash = createHash('sha256')
    for await (const part of exportRecipients(db, toSentMessage(sending))) hash.update(part)
    const record = JSON.stringify(
      {
        type: 'atrium-sending-evidence',
        issuer: platform.origin(),
        issuedAt: new Date().toISOString(),
        issuedTo: viewer.username,
        sending: await resultOf(db, viewer, sendId),
        recipientsSha256: hash.digest('hex'),
      },
      null,
      2,
    )
    // The audit log is chained and signed, so this entry can later prove the file authentic.
    const sha256 = createHash('sha256').update(record).digest('hex')
    await writeAudit(db, {
      channel: 'api',
      accountId: viewer.accountId,
      operator: viewer.username,
      operatorName: viewer.name,
      action: `${sendingLedger.evidence.method} ${sendingLedger.evidence.path}`,
      details: { sendId, sha256 },
    })
    return reply
      .type('text/plain; charset=utf-8')
      .header('content-disposition', `attachment; filename="evidence-${sendId}.json"`)
      .header('cache-control', 'no-store')
      .send(record)
  },

  async approvals({ db, viewer, query }) {
    const { within, asMember } = await getSender(db, viewer)
    if (asMember) fail('session.forbidden')
    const { pageNo, pageSize, offset } = pageOf(query)
    const [list, total] = await Promise.all([
      listPending(db, viewer, within, pageSize, offset),
      countPending(db, viewer, within),
    ])
    return { list, total, pageNo, pageSize }
  },

  decide: ({ platform, viewer, request, body: { sendId, ...decision } }) =>
    withAudit(platform, sendingLedger.decide, viewer, request, async (db) => {
      const { within, asMember } = await getSender(db, viewer)
      if (asMember) fail('session.forbidden')
      const ownSending = await lockSending(db, viewer.accountId, sendId)
      if (ownSending) fail('sending.own')
      const sending = (await lockPending(db, viewer, within, sendId)) ?? fail('sending.not_found')
      if (sending.status !== 'pending') fail('sending.decided')
      if (!decision.approve && !decision.reason.trim())
        fail('request.invalid', { fields: { reason: 'required' } })
      await recordDecision(db, viewer, sending, decision)
      await announce(db, { kind: 'sending', key: '' })
      return resultOf(db, viewer, sendId)
    }),
}

/** The viewer's own message, or a pending one they may approve (it has no recipients yet). @throws sending.not_found */
async function getOwnSending(db: Db, viewer: Member, sendId: string): Promise<SendingRow> {
  const { within } = await getSender(db, viewer)
  const sending = (await findSending(db, viewer, within, sendId)) ?? fail('sending.not_found')
  return sending.own || sending.status === 'pending' ? sending : fail('sending.not_found')
}

/** Locks the viewer's own message. @throws sending.not_found */
async function lockOwnSending(db: Db, viewer: Member, sendId: string) {
  await getSender(db, viewer)
  return (await lockSending(db, viewer.accountId, sendId)) ?? fail('sending.not_found')
}

/** Locks the viewer's own unfinished message. @throws sending.over */
async function lockUnfinished(db: Db, viewer: Member, sendId: string) {
  const sending = await lockOwnSending(db, viewer, sendId)
  return ['scheduled', 'sending'].includes(sending.status) ? sending : fail('sending.over')
}

const toSentMessage = ({
  sendId: id,
  message_id,
  status,
  confirm,
  choices,
  members,
  delivered_members: delivered,
  failed_members: failed,
}: SendingRow): SentMessage => ({
  id,
  message_id,
  status,
  confirm,
  counts: members === null ? undefined : { members, delivered, failed },
  asksAnswer: (choices as unknown[]).length > 0,
})

async function resultOf(db: Db, viewer: Member, sendId: string): Promise<SendingResult> {
  const { within } = await getSender(db, viewer)
  const sending = (await findSending(db, viewer, within, sendId)) ?? fail('sending.not_found')
  const {
    message_id,
    by: _,
    chosen,
    choices,
    kind,
    format,
    variables,
    files,
    members,
    delivered_members,
    failed_members,
    ...visible
  } = sending
  const sent = toSentMessage(sending)
  const answers = choices as { text: string; textEn: string }[]
  const details = {
    ...visible,
    kind: displayKind(kind),
    // HTML is sanitised again for this viewer.
    content: format === 'html' ? cleanRichText(visible.content) : visible.content,
    contentEn: format === 'html' ? cleanRichText(visible.contentEn) : visible.contentEn,
    format: format as SendingResult['format'],
    variables: variables as SendingResult['variables'],
    files: files as SendingResult['files'],
  }
  if (message_id === null)
    return {
      ...details,
      ...emptyFigures({ ...visible, asks: reportsReading(sent) }),
      answers: answers.map((one) => ({ ...one, count: 0 })),
      reminders: [],
    }
  return { ...details, ...(await countOutcomes(db, sent, answers)) }
}

/** Figures before anything was sent. Messages withdrawn or refused at this stage are never delivered. */
function emptyFigures({
  status,
  expected,
  asks,
}: Pick<Sending, 'status'> & { expected: number; asks: boolean }) {
  const isNeverDelivered = status === 'withdrawn' || status === 'refused'
  return {
    tooLate: 0,
    channels: [],
    inbox: {
      total: expected,
      waiting: isNeverDelivered ? 0 : expected,
      delivered: 0,
      withdrawn: isNeverDelivered ? expected : 0,
      failed: 0,
      read: asks ? 0 : null,
      confirmed: asks ? 0 : null,
    },
  }
}
