import { del, get, Id, Nullable, OneOf, post, put, T, Time } from '../define.ts'

const revision = T.Integer({ minimum: 1, maximum: 1_000_000_000 })
const params = T.Object({ id: Id })
const operator = { access: 'operator', permission: 'content', delegated: true } as const

const feedFields = {
  address: T.String({ pattern: '^https?://[^\\s\\\\@]+$', maxLength: 2000 }),
  columnId: Id,
  intervalMinutes: T.Integer({ minimum: 15, maximum: 10_080, default: 60 }),
  enabled: T.Boolean({ default: true }),
}
export const Feed = T.Object(
  {
    id: Id,
    revision,
    ...feedFields,
    columnName: T.String(),
    fetchedAt: Nullable(Time),
    nextAt: Nullable(Time),
    result: Nullable(OneOf(['imported', 'unchanged', 'partly', 'failed'])),
    message: T.String({ description: 'what went wrong last time, or empty' }),
    added: T.Integer(),
    changed: T.Integer(),
    skipped: T.Integer(),
  },
  { $id: 'Feed' },
)

/** Websites whose feeds are imported into a column on a schedule. */
export const feeds = {
  list: get('/console-api/news/feeds', {
    summary: 'Feeds of the columns the caller may write in, and how they fared last time',
    ...operator,
    reply: T.Array(Feed),
  }),
  create: post('/console-api/news/feeds', {
    summary: 'Reads another feed from now on',
    ...operator,
    body: T.Object(feedFields),
    reply: Feed,
    errors: ['news.column_not_found', 'news.feed_taken'],
  }),
  update: put('/console-api/news/feeds/{id}', {
    summary: 'The feed as it is to be read from now on',
    ...operator,
    params,
    body: T.Object({ revision, ...feedFields }),
    reply: Feed,
    errors: [
      'news.feed_not_found',
      'news.column_not_found',
      'news.feed_taken',
      'news.changed_meanwhile',
    ],
  }),
  remove: del('/console-api/news/feeds/{id}', {
    summary: 'Reads the feed no more; its articles stay',
    ...operator,
    params,
    reply: T.Null(),
    errors: ['news.feed_not_found'],
  }),
  fetch: post('/console-api/news/feeds/{id}/fetch', {
    summary: 'Reads the feed now, unless another of its host is being read',
    ...operator,
    params,
    reply: Feed,
    errors: ['news.feed_not_found', 'news.feed_busy'],
  }),
}
