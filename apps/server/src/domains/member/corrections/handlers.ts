import type {
  Correction,
  correctionRequests,
  corrections,
} from '@atrium/contract/member/corrections'
import { assertMayActOn } from '#domains/identity/members/operated-person.ts'
import { sendMessage } from '#domains/work/messages/send.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { operatedIn } from '#platform/permissions.ts'
import { escapeHtml } from '#platform/text/escape-html.ts'
import { correctionMessages } from './messages.ts'
import {
  decideCorrection,
  insertCorrection,
  listCorrectionRequests,
  listOwnCorrections,
} from './queries.ts'

/** Maximum open requests per member. */
const maxWaiting = 5

type Row = Awaited<ReturnType<typeof listOwnCorrections>>[number]
const toReply = (row: Row) => ({
  ...row,
  field: row.field as Correction['field'],
  status: row.status as Correction['status'],
})

export const correctionHandlers: Handlers<typeof corrections> = {
  list: async ({ db, viewer }) => (await listOwnCorrections(db, viewer.accountId)).map(toReply),

  request: ({ platform, viewer, body }) =>
    platform.db.transaction().execute(async (db) => {
      const id = await insertCorrection(db, viewer.accountId, body, maxWaiting)
      if (id === undefined) fail('correction.too_many')
      const [created] = await listOwnCorrections(db, viewer.accountId, id)
      return toReply(created as Row)
    }),

  async withdraw({ db, viewer, params: { id } }) {
    if (!(await decideCorrection(db, id, { accountId: viewer.accountId }, 'withdrawn')))
      fail('correction.not_found')
    const [correction] = await listOwnCorrections(db, viewer.accountId, id)
    return toReply(correction as Row)
  },
}

export const correctionRequestHandlers: Handlers<typeof correctionRequests> = {
  list: async ({ db, viewer }) =>
    (await listCorrectionRequests(db, operatedIn(viewer, 'identity'))).map(
      ({ personId: _, ...row }) => ({
        ...row,
        ...toReply(row),
      }),
    ),

  answer: ({ platform, viewer, params: { id }, body: { done, answer } }) =>
    platform.db.transaction().execute(async (db) => {
      const within = operatedIn(viewer, 'identity')
      const [requested] = await listCorrectionRequests(db, within, id)
      if (!requested) return fail('correction.not_found')
      await assertMayActOn(db, viewer, requested.personId)
      const decided = await decideCorrection(
        db,
        id,
        { decidedBy: viewer.accountId },
        done ? 'done' : 'refused',
        answer.trim(),
      )
      if (!decided) fail('correction.not_found')
      await sendMessage(db, {
        kind: correctionMessages.kinds.answered,
        to: { accounts: [decided.accountId] },
        title: done
          ? { zh: '你的资料已更正', en: 'Your information was corrected' }
          : { zh: '你的资料更正申请未通过', en: 'Your information was not corrected' },
        summary: { zh: answer },
        content: { zh: escapeHtml(answer) },
        url: '/pages/myInfo/correct',
      })
      const [row] = await listCorrectionRequests(db, within, id)
      const { personId: _, ...rest } = row ?? fail('correction.not_found')
      return { ...rest, ...toReply(rest) }
    }),
}
