import type { live } from '@atrium/contract/work/live'
import { countUnread } from '#domains/work/messages/queries.ts'
import { countTodo } from '#domains/work/tasks/queries.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { openStream } from './streams.ts'

export const liveHandlers: Handlers<typeof live> = {
  async counts({ db, viewer }) {
    const [{ unread }, tasks] = await Promise.all([
      countUnread(db, viewer.accountId),
      countTodo(db, viewer.accountId),
    ])
    return { messages: unread, tasks, total: unread + tasks }
  },

  async stream({ platform, viewer, request, reply, query }) {
    // Messages are kept by the institution's own message centre: pages poll it for counts.
    const { messageBase } = await currentSettings(platform)
    if (messageBase !== '') return reply.code(204).send()
    const last = query.lastEventId ?? request.headers['last-event-id']?.toString()
    await openStream(
      platform,
      viewer,
      reply,
      /^\d{1,15}$/.test(last ?? '') ? Number(last) : undefined,
    )
    return reply
  },
}
