import type { registry } from '@atrium/contract/sso/registry'
import type { Db } from '#platform/database/db.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { removeParty, replaceSecret, writeParty } from './change.ts'
import { allowsLoopback } from './parties.ts'
import { listPartyRows, toManaged } from './queries.ts'

export const registryHandlers: Handlers<typeof registry> = {
  list: async ({ db }) => (await listPartyRows(db)).map(toManaged),

  async create({ platform, body: { code, ...content } }) {
    const loopback = allowsLoopback(platform)
    return toManaged(
      await change(platform, (db) => writeParty(db, 'create', { code, content, loopback })),
    )
  },

  async update({ platform, params: { code }, body: content }) {
    const loopback = allowsLoopback(platform)
    return toManaged(
      await change(platform, (db) => writeParty(db, 'update', { code, content, loopback })),
    )
  },

  async remove({ platform, params: { code } }) {
    await change(platform, (db) => removeParty(db, code))
    return null
  },

  replaceSecret: async ({ platform, params: { code } }) => ({
    secret: await change(platform, (db) => replaceSecret(db, code)),
  }),
}

const change = <T>(platform: Platform, work: (db: Db) => Promise<T>) =>
  platform.db.transaction().execute(work)
