import type { memberSessions } from '@atrium/contract/identity/sessions'
import { revokePerson } from '#domains/identity/identity/revoke-person.ts'
import {
  assertMayActOn,
  findOperatedPerson,
  mayOperatePerson,
} from '#domains/identity/members/operated-person.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { signedInDevices } from './handlers.ts'
import { endSignInOf, findSignInPerson, listSignIns } from './queries.ts'

export const memberSessionHandlers: Handlers<typeof memberSessions> = {
  async list({ db, platform, viewer, query }) {
    const personId =
      (await findOperatedPerson(db, viewer, query.username)) ?? fail('session.member_not_found')
    return signedInDevices(platform, listSignIns(db, personId), viewer.sessionId)
  },

  async remove({ db, platform, viewer, params }) {
    const ended = await db.transaction().execute(async (db) => {
      const personId = await findSignInPerson(db, params.id)
      if (!personId || !(await mayOperatePerson(db, viewer, personId))) return []
      await assertMayActOn(db, viewer, personId)
      return endSignInOf(db, personId, params.id, 'operator')
    })
    if (ended.length === 0) fail('session.not_found')
    for (const id of ended) platform.guard.forgetSession(id)
    return null
  },

  async removeAll({ db, viewer, body }) {
    const personId =
      (await findOperatedPerson(db, viewer, body.username)) ?? fail('session.member_not_found')
    await assertMayActOn(db, viewer, personId)
    const ended = await db
      .transaction()
      .execute((db) => revokePerson(db, personId, { reason: 'operator' }))
    return { ended }
  },
}
