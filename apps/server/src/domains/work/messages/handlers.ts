import type { messages } from '@atrium/contract/work/messages'
import { countTodo } from '#domains/work/tasks/queries.ts'
import { fail } from '#platform/http/errors.ts'
import { pageSizeOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import {
  countUnread,
  findMessage,
  listApps,
  listMessages,
  markAllRead,
  markRead,
  toSummary,
} from './queries.ts'

export const messageHandlers: Handlers<typeof messages> = {
  apps: ({ db, viewer }) => listApps(db, viewer.accountId),
  unreadTotal: ({ db, viewer }) => countUnread(db, viewer.accountId),

  async unreadCounts({ db, viewer }) {
    const [messages, tasks] = await Promise.all([
      countUnread(db, viewer.accountId),
      countTodo(db, viewer.accountId),
    ])
    return { messages, tasks, total: messages + tasks }
  },

  list: ({ db, viewer, query }) =>
    listMessages(db, viewer.accountId, { ...query, pageSize: pageSizeOf(query) }),

  async read({ db, viewer, query }) {
    const row = (await findMessage(db, viewer.accountId, query.id)) ?? fail('message.not_found')
    return { ...toSummary(row), content: row.content, sender: row.sender, url: row.url }
  },

  markRead: async ({ db, viewer, body }) => ({
    changed: await markRead(db, viewer.accountId, body.ids),
  }),
  markAllRead: async ({ db, viewer, body }) => ({
    changed: await markAllRead(db, viewer.accountId, body.appId),
  }),
}
