import type { messageApps } from '@atrium/contract/work/message-integration.operator'
import type { Handlers } from '#platform/http/serve.ts'
import { createApp, listRegistered, removeApp, updateApp } from './apps.ts'

export const messageAppHandlers: Handlers<typeof messageApps> = {
  list: ({ db }) => listRegistered(db),
  create: ({ platform, body }) =>
    platform.db.transaction().execute((db) => createApp(db, platform.secret, body)),
  update: ({ platform, params, body }) =>
    platform.db.transaction().execute((db) => updateApp(db, platform.secret, params.code, body)),
  remove: ({ platform, params }) =>
    platform.db.transaction().execute(async (db) => {
      await removeApp(db, params.code)
      return null
    }),
}
