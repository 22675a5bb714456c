import type { robot } from '@atrium/contract/discovery/robot'
import { hasModel } from '#domains/discovery/assistant/assistant.ts'
import { countUse, listHotQuestions } from '#domains/discovery/knowledge/queries.ts'
import { countBadAnswer } from '#domains/discovery/search/statistics.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { chat } from './chat.ts'
import { deskSources } from './extensions.ts'
import {
  confirmProposal,
  deleteDialog,
  findDialog,
  listDialogs,
  listLines,
  markSeen,
  rateDialog,
  rateLine,
} from './queries.ts'
import { acceptsEvents, silentSink, streamAnswer } from './stream.ts'
import { createUserToken, isUserToken } from './user-token.ts'

const maxHotQuestions = 6

/** @throws robot.dialog_not_found */
const ownDialog = async (db: Db, viewer: Member, id: string) =>
  (await findDialog(db, viewer.accountId, id)) ?? fail('robot.dialog_not_found')

export const robotHandlers: Handlers<typeof robot> = {
  async chat({ platform, viewer, body, request, reply }) {
    const { usertoken } = request.headers
    // Our own clients do not send it: they are identified by the session.
    if (typeof usertoken === 'string' && usertoken !== '')
      if (!isUserToken(platform, viewer, usertoken)) fail('robot.token_invalid')
    const input = {
      text: body.question.trim(),
      dialogId: body.dialogId || undefined,
      language: languageOf(request.headers['accept-language']),
      byModel: body.assistant ?? false,
    }
    if (!acceptsEvents(request)) return chat(platform, viewer, input, silentSink())
    await streamAnswer(request, reply, (sink) => chat(platform, viewer, input, sink))
    return reply
  },

  comment: ({ platform, viewer, body }) =>
    platform.db.transaction().execute(async (db) => {
      const { dialogId, lineId, helpful, score, comment = '' } = body
      await ownDialog(db, viewer, dialogId)
      if (lineId === undefined && score === undefined)
        fail('request.invalid', { fields: { lineId: 'required' } })
      if (lineId !== undefined) {
        if (helpful === undefined) fail('request.invalid', { fields: { helpful: 'required' } })
        const rated =
          (await rateLine(db, dialogId, lineId, { helpful, comment: comment.trim() })) ??
          fail('robot.line_not_found')
        // Repeated identical ratings count once.
        if (rated.isNew) {
          for (const { kind, id } of rated.answer?.sources ?? [])
            if (kind === 'question') await countUse(db, id, helpful ? 'helpful' : 'unhelpful')
          if (!helpful) await countBadAnswer(platform, viewer, rated.question)
        }
      }
      if (score !== undefined)
        if (!(await rateDialog(db, dialogId, { score, comment: comment.trim() })))
          fail('robot.not_rateable')
      return ownDialog(db, viewer, dialogId)
    }),

  async confirmed({ db, viewer, body: { dialogId, lineId, index } }) {
    await ownDialog(db, viewer, dialogId)
    if (!(await confirmProposal(db, dialogId, lineId, index))) fail('robot.line_not_found')
    return null
  },

  dialogs: ({ db, viewer, query }) => listDialogs(db, viewer.accountId, query),

  async dialog({ db, viewer, query: { dialogId, after } }) {
    const dialog = await ownDialog(db, viewer, dialogId)
    await markSeen(db, dialogId)
    return { dialog, lines: await listLines(db, dialogId, after) }
  },

  async removeDialog({ db, viewer, query: { dialogId } }) {
    await ownDialog(db, viewer, dialogId)
    if (!(await deleteDialog(db, dialogId))) fail('robot.at_desk')
    return null
  },

  hotQuestions: ({ db, viewer }) => listHotQuestions(db, viewer, maxHotQuestions),

  token: async ({ platform, viewer }) => createUserToken(platform, viewer),

  async online({ platform, viewer }) {
    const [lists, assistant] = await Promise.all([
      Promise.all(deskSources.all().map((desk) => desk.list(platform, viewer))),
      hasModel(platform),
    ])
    const desks = lists.flat()
    return { online: desks.some(({ open }) => open), assistant, desks }
  },
}
