import { get, post, T } from '../define.ts'

export const live = {
  counts: post('/message/center/api/v1/instantMessage/getAppAllUnReadCount/new', {
    summary: 'Get the numbers of unread messages and pending tasks, for badges',
    access: 'member',
    body: T.Object({}),
    reply: T.Object({ messages: T.Integer(), tasks: T.Integer(), total: T.Integer() }),
  }),
  stream: get('/message/center/api/v1/instantMessage/stream', {
    summary: 'Stream server-sent events: the counts now and at each change, and new messages',
    access: 'member',
    query: T.Object({
      lastEventId: T.Optional(
        T.String({ pattern: '^[0-9]{1,15}$', description: 'same as the header Last-Event-ID' }),
      ),
    }),
    media: 'text/event-stream',
    reply: T.String(),
    errors: ['server.unavailable', 'stream.too_many'],
  }),
}
