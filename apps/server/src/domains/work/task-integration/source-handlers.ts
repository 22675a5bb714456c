import type { taskSources } from '@atrium/contract/work/task-sources.operator'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { compareSource } from './compare.ts'
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
    if (!source.listUrl) fail('task.source_lists_nothing')
    await compareSource(platform, source)
    return getSource(db, params.code)
  },

  remove: ({ platform, params }) =>
    platform.db.transaction().execute(async (db) => {
      await removeSource(db, params.code)
      return null
    }),
}
