import type { personalSourceSettings } from '@atrium/contract/member/personal-sources.operator'
import type { Handlers } from '#platform/http/serve.ts'
import { checkConnector } from './connector-rules.ts'
import {
  findSources,
  getSource,
  listSources,
  removeSource,
  sealedSecretFor,
  setSource,
} from './sources.ts'
import { trySource } from './try-source.ts'

/** For operators of the whole installation only, because sources provide the data of every member. */
export const personalSourceSettingHandlers: Handlers<typeof personalSourceSettings> = {
  list: ({ db }) => listSources(db),
  async read({ db, params }) {
    const { connector, sealedSecret } = await getSource(db, params.kind)
    return { connector, hasSecret: sealedSecret !== null }
  },
  connect: ({ platform, params, body }) =>
    platform.db.transaction().execute((db) => setSource(db, platform.secret, params.kind, body)),
  async try({ platform, db, params, body }) {
    const source = (await findSources(db)).get(params.kind)
    const connector = body.connector ?? (await getSource(db, params.kind)).connector
    checkConnector(params.kind, connector)
    const sealed = sealedSecretFor(platform.secret, source, connector, body.secret)
    return trySource(db, params.kind, connector, {
      username: body.username,
      secret: sealed === null ? undefined : platform.secret.decrypt(sealed),
      allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
    })
  },
  disconnect: ({ platform, params }) =>
    platform.db.transaction().execute(async (db) => {
      await removeSource(db, params.kind)
      return null
    }),
}
