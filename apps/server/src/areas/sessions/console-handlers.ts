import type { memberSessions } from '@atrium/contract/sessions'
import { findAccountByUsername, revokePerson } from '#areas/identity/queries.ts'
import type { Db } from '#platform/db.ts'
import { fail } from '#platform/errors.ts'
import type { Handlers } from '#platform/serve.ts'
import { signedInDevices } from './handlers.ts'
import { endSignIn, listSignIns } from './queries.ts'

export const memberSessionHandlers: Handlers<typeof memberSessions> = {
  async list({ db, platform, viewer, query }) {
    const personId = await getPerson(db, query.username)
    return signedInDevices(platform, listSignIns(db, personId), viewer.sessionId)
  },

  async remove({ db, platform, params }) {
    const ended = await db.transaction().execute((db) => endSignIn(db, params.id))
    if (ended.length === 0) fail('session.not_found')
    for (const id of ended) platform.guard.forgetSession(id)
    return null
  },

  async removeAll({ db, platform, body }) {
    const personId = await getPerson(db, body.username)
    const ended = await db
      .transaction()
      .execute((db) => revokePerson(db, personId, { reason: 'operator' }))
    await platform.topics.settled()
    return { ended }
  },
}

async function getPerson(db: Db, username: string) {
  return (await findAccountByUsername(db, username))?.personId ?? fail('session.member_not_found')
}
