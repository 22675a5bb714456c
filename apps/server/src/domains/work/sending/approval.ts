import type { Endpoint } from '@atrium/contract/define'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { sendMessage } from '#domains/work/messages/send.ts'
import { audited } from '#platform/audit.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { sendingMessages } from './messages.ts'
import type { SendingScope } from './recipients.ts'
import { mayApprove } from './senders.ts'

/** Runs the action in a transaction and records it in the audit log, as operator actions are. */
export const withAudit = <T>(
  platform: Platform,
  endpoint: Endpoint,
  viewer: Member,
  request: FastifyRequest,
  action: (db: Db) => Promise<T>,
) => audited(platform, endpoint, viewer, request, () => platform.db.transaction().execute(action))

const resultPage = (id: string) => `/msgCenter/pages/onlineSend/sendResult?sendId=${id}`

/** Notifies everyone who may approve the message; the first to act decides. */
export const notifyApprovers = (
  db: Db,
  accounts: readonly string[],
  { id, author, title }: { id: string; author: string; title: string },
) =>
  sendMessage(db, {
    kind: sendingMessages.kinds.approval,
    to: { accounts },
    title: { zh: `待审批：${title}`, en: `To approve: ${title}` },
    summary: {
      zh: `${author} 提交了一条消息，审批后才会发出。`,
      en: `${author} has written a message that goes out once it is approved.`,
    },
    url: resultPage(id),
    source: { code: '#sending-approval', key: id },
  })

/** Locks a message that the viewer may approve or has decided. */
export const lockPending = (db: Db, viewer: Member, within: SendingScope, id: string) =>
  db
    .selectFrom('sending')
    .select(['id', 'status', 'title', 'author_account_id', 'send_at'])
    .where('id', '=', id)
    .where(
      sql<boolean>`(sending.approver_account_id = ${viewer.accountId} or ${mayApprove(viewer, within)})`,
    )
    .forUpdate()
    .executeTakeFirst()
type Pending = NonNullable<Awaited<ReturnType<typeof lockPending>>>

/** Stores the decision and notifies the author. */
export async function recordDecision(
  db: Db,
  viewer: Member,
  { id, title, author_account_id }: Pending,
  { approve, reason }: { approve: boolean; reason: string },
) {
  await db
    .updateTable('sending')
    .set({
      status: approve ? 'scheduled' : 'refused',
      approver_account_id: viewer.accountId,
      approver: viewer.name,
      decided_at: sql`now()`,
      refusal: approve ? '' : reason.trim(),
      next_at: sql`greatest(send_at, now())`,
    })
    .where('id', '=', id)
    .execute()
  if (author_account_id === null) return
  await sendMessage(db, {
    kind: sendingMessages.kinds.approval,
    to: { accounts: [author_account_id] },
    title: approve
      ? { zh: `已通过：${title}`, en: `Approved: ${title}` }
      : { zh: `未通过：${title}`, en: `Not approved: ${title}` },
    summary: approve
      ? {
          zh: `${viewer.name} 已审批通过。`,
          en: `${viewer.nameEn || viewer.name} has approved it.`,
        }
      : { zh: reason.trim(), en: reason.trim() },
    url: resultPage(id),
    source: { code: '#sending-decision', key: id },
  })
}
