import { sendMessage } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import { appointmentMessages, detailPage } from './messages.ts'

const answerTexts = {
  yes: { zh: '参加', en: 'will come' },
  maybe: { zh: '待定', en: 'may come' },
  no: { zh: '不参加', en: 'will not come' },
}
export type InvitationAnswer = keyof typeof answerTexts

/** Notifies the organiser of an event of an answer. Call in a transaction. */
export async function notifyOrganizer(
  db: Db,
  organiser: string,
  notice: {
    eventId: string
    title: string
    who: string
    whoEn?: string
    answer: InvitationAnswer
    comment: string
    /** for an answer to one occurrence only: its time in words */
    when?: { zh: string; en: string }
    startsAt?: string
  },
) {
  const { eventId, title, who, whoEn, comment, when, startsAt } = notice
  const { zh, en } = answerTexts[notice.answer]
  await sendMessage(db, {
    kind: appointmentMessages.kinds.answered,
    to: { accounts: [organiser] },
    title: { zh: `${who} ${zh}：${title}`, en: `${whoEn || who} ${en}: ${title}` },
    summary: {
      zh: [when?.zh, comment].filter(Boolean).join('\n'),
      en: [when?.en, comment].filter(Boolean).join('\n'),
    },
    url: detailPage(eventId, startsAt),
  })
}
