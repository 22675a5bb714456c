import { sendMessage } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import type { Platform } from '#platform/platform.ts'
import { deskMessages } from './messages.ts'
import { claimUnseenReplies, listAgents } from './queries.ts'

const maxSummaryLength = 120

/** Notifies a desk's agents of a waiting member. */
export async function notifyAgents(db: Db, deskId: string, dialog: { id: string; title: string }) {
  await sendMessage(db, {
    kind: deskMessages.kinds.waiting,
    to: { accounts: await listAgents(db, deskId) },
    title: { zh: `有人等待人工服务：${dialog.title}`, en: `Somebody is waiting: ${dialog.title}` },
    url: `/pages/robot/deskDialog?dialogId=${dialog.id}`,
  })
}

/**
 * Notifies members who are away of an answer, once until they return.
 * @param dialogId only this dialog; null: all
 */
export async function notifyMembers(db: Db, dialogId: string | null) {
  for (const { dialogId: id, accountId, title, text } of await claimUnseenReplies(db, dialogId)) {
    const line = [...text].slice(0, maxSummaryLength).join('')
    await sendMessage(db, {
      kind: deskMessages.kinds.answer,
      to: { accounts: [accountId] },
      title: { zh: `人工客服回复了：${title}`, en: `The service desk has answered: ${title}` },
      summary: { zh: line, en: line },
      url: `/pages/robot/robot?dialogId=${id}`,
    })
  }
}

/** Job: notifies members who left just before an answer was sent. */
export const notifyAllMembers = ({ db }: Platform) =>
  db.transaction().execute((db) => notifyMembers(db, null))
