import type { closings } from '@atrium/contract/member/privacy'
import { assertMayActOn } from '#domains/identity/members/operated-person.ts'
import { sendMessage } from '#domains/work/messages/send.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { operatedIn } from '#platform/permissions.ts'
import { escapeHtml } from '#platform/text/escape-html.ts'
import { accountMessages } from './messages.ts'
import { decideClosing, listClosings } from './queries.ts'

type Status = 'waiting' | 'withdrawn' | 'refused' | 'done'

export const closingHandlers: Handlers<typeof closings> = {
  list: async ({ db, viewer }) =>
    (await listClosings(db, operatedIn(viewer, 'identity'))).map(({ personId: _, ...row }) => ({
      ...row,
      status: row.status as Status,
    })),

  async refuse({ platform, viewer, params: { id }, body }) {
    await platform.db.transaction().execute(async (db) => {
      const [closing] = await listClosings(db, operatedIn(viewer, 'identity'), id)
      if (closing) await assertMayActOn(db, viewer, closing.personId)
      const refused = closing && (await decideClosing(db, { id }, 'refused', body.answer))
      if (!refused) return fail('privacy.closing_not_found')
      await sendMessage(db, {
        kind: accountMessages.kinds.closing,
        to: { accounts: [refused.accountId] },
        title: { zh: '注销申请未通过', en: 'Your account stays open' },
        summary: { zh: body.answer },
        content: { zh: escapeHtml(body.answer) },
        url: '/pages/privacy/closeAccount',
      })
    })
    return null
  },
}
