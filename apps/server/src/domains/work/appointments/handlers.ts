import type { appointments } from '@atrium/contract/work/appointments'
import { findMessage } from '#domains/work/messages/queries.ts'
import { findEvent } from '#domains/work/schedule/queries.ts'
import { readEvent } from '#domains/work/schedule/read-event.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { answerInvitation } from './answer.ts'
import { changeEvent, removeEvent } from './change.ts'
import { readFreeBusy } from './free-busy.ts'
import { setReminders } from './reminders.ts'
import { createEvent } from './write.ts'

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
      if (!(await findEvent(db, viewer, id))) fail('event.not_found')
      const response = { answer, comment: comment.trim() }
      if (!(await answerInvitation(db, viewer, id, response))) fail('event.not_invited')
      return readEvent({ db, platform }, viewer, id)
    }),

  setReminders: ({ platform, viewer, params: { id }, body: { reminders } }) =>
    platform.db.transaction().execute(async (db) => {
      if (!(await findEvent(db, viewer, id))) fail('event.not_found')
      await setReminders(db, id, viewer.accountId, reminders)
      return readEvent({ db, platform }, viewer, id)
    }),

  freeBusy: ({ platform, viewer, query }) => readFreeBusy(platform, viewer, query),
}
