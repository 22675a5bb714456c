import type { caldav } from '@atrium/contract/work/calendar-exchange'
import { requireConfirmation } from '#domains/identity/identity/confirmation.ts'
import { sendSecurityNotice } from '#domains/identity/identity/notices.ts'
import { getNoticeRecipient } from '#domains/identity/identity/queries.ts'
import { fail } from '#platform/http/errors.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { deletePassword, insertPassword, listPasswords } from './passwords.ts'

export const caldavHandlers: Handlers<typeof caldav> = {
  list: async ({ db, viewer, platform }) => ({
    server: `${platform.origin()}/caldav/`,
    username: viewer.username,
    passwords: await listPasswords(db, viewer.accountId),
  }),

  async create({ db, viewer, body, platform, request }) {
    await requireConfirmation(db, viewer)
    const language = languageOf(request.headers['accept-language'])
    const created = await db.transaction().execute(async (db) => {
      const name = body.name.trim()
      const created = await insertPassword(platform, db, viewer.accountId, { name, language })
      if (created)
        await sendSecurityNotice(
          { platform, request },
          db,
          await getNoticeRecipient(db, viewer.accountId),
          'calendarPassword',
        )
      return created
    })
    return created ?? fail('app_password.too_many')
  },

  async remove({ db, viewer, params }) {
    if (!(await deletePassword(db, viewer.accountId, params.id))) fail('app_password.not_found')
    return null
  },
}
