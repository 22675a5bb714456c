import type { appointments } from '@atrium/contract/work/appointments'
import { sql } from 'kysely'
import { findMessage } from '#domains/work/messages/queries.ts'
import { sendMessage } from '#domains/work/messages/send.ts'
import { findEvent } from '#domains/work/schedule/queries.ts'
import { readEvent } from '#domains/work/schedule/read-event.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { changeEvent, removeEvent } from './change.ts'
import { readFreeBusy } from './free-busy.ts'
import { appointmentMessages, detailPage } from './messages.ts'
import { setReminders } from './reminders.ts'
import { createEvent } from './write.ts'

const answerWords = {
  yes: { zh: '参加', en: 'will come' },
  maybe: { zh: '待定', en: 'may come' },
  no: { zh: '不参加', en: 'will not come' },
}

export const appointmentHandlers: Handlers<typeof appointments> = {
  create: ({ viewer, body, platform }) => createEvent(platform, viewer, body),

  async createFromMessage({ db, viewer, body: { messageId, ...event }, platform }) {
    if (!(await findMessage(db, viewer.accountId, messageId))) fail('message.not_found')
    return createEvent(platform, viewer, event)
  },

  update: ({ viewer, params, body, platform }) => changeEvent(platform, viewer, params.id, body),

  async remove({ viewer, params, query, platform }) {
    await removeEvent(platform, viewer, params.id, query)
    return null
  },

  respond: ({ platform, viewer, params: { id }, body: { answer, comment = '' } }) =>
    platform.db.transaction().execute(async (db) => {
      const event = (await findEvent(db, viewer, id)) ?? fail('event.not_found')
      const part = await db
        .selectFrom('event_participant')
        .select(['id', 'answer', 'comment'])
        .where('event_id', '=', id)
        .where('account_id', '=', viewer.accountId)
        .forUpdate()
        .executeTakeFirst()
      if (!part) return fail('event.not_invited')
      if (part.answer === answer && part.comment === comment.trim())
        return readEvent(db, viewer, id)
      await db
        .updateTable('event_participant')
        .set({ answer, comment: comment.trim(), answered_at: sql`now()` })
        .where('id', '=', part.id)
        .execute()
      const { zh, en } = answerWords[answer]
      if (event.accountId && event.accountId !== viewer.accountId)
        await sendMessage(db, {
          kind: appointmentMessages.kinds.answered,
          to: { accounts: [event.accountId] },
          title: {
            zh: `${viewer.name} ${zh}：${event.title}`,
            en: `${viewer.name} ${en}: ${event.title}`,
          },
          summary: { zh: comment.trim(), en: comment.trim() },
          url: detailPage(id),
        })
      return readEvent(db, viewer, id)
    }),

  setReminders: ({ platform, viewer, params: { id }, body: { reminders } }) =>
    platform.db.transaction().execute(async (db) => {
      if (!(await findEvent(db, viewer, id))) fail('event.not_found')
      await setReminders(db, id, viewer.accountId, reminders)
      return readEvent(db, viewer, id)
    }),

  freeBusy: ({ platform, viewer, query }) => readFreeBusy(platform, viewer, query),
}
