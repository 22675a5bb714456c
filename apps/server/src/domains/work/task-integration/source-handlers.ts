import type { taskSources } from '@atrium/contract/work/task-sources.operator'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { compareSource } from './compare.ts'
import { tryConnector } from './connector-tasks.ts'
import {
  checkConnector,
  findConnector,
  removeConnector,
  sealedSecretFor,
  setConnector,
} from './connectors.ts'
import {
  createSource,
  findSource,
  getSource,
  listSources,
  removeSource,
  updateSource,
} from './sources.ts'

export const taskSourceHandlers: Handlers<typeof taskSources> = {
  list: ({ db }) => listSources(db),
  create: ({ platform, body }) =>
    platform.db.transaction().execute((db) => createSource(db, platform.secret, body)),
  update: ({ platform, params, body }) =>
    platform.db.transaction().execute((db) => updateSource(db, platform.secret, params.code, body)),

  async compare({ platform, db, params }) {
    const source = await findSource(db, params.code)
    if (!source.listUrl && source.connector === null) fail('task.source_lists_nothing')
    if (!(await compareSource(platform, source))) fail('task.source_busy')
    return getSource(db, params.code)
  },

  async readConnector({ db, params }) {
    const source = await findSource(db, params.code)
    return {
      connector: findConnector(source) ?? null,
      hasSecret: source.sealedConnectorSecret !== null,
    }
  },
  connect: ({ platform, params, body }) =>
    platform.db.transaction().execute((db) => setConnector(db, platform.secret, params.code, body)),
  disconnect: ({ platform, params }) =>
    platform.db.transaction().execute((db) => removeConnector(db, params.code)),

  async tryConnector({ platform, db, params, body }) {
    const source = await findSource(db, params.code)
    const connector = body.connector ?? findConnector(source) ?? fail('task.source_lists_nothing')
    checkConnector(connector)
    const sealed = sealedSecretFor(platform.secret, source, connector, body.secret)
    const { timeZone } = await readSettings(db)
    return tryConnector(
      db,
      connector,
      sealed === null ? undefined : platform.secret.decrypt(sealed),
      {
        allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
        timeZone,
      },
    )
  },

  remove: ({ platform, params }) =>
    platform.db.transaction().execute(async (db) => {
      await removeSource(db, params.code)
      return null
    }),
}
