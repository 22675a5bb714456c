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
    message: T.String({ description: 'error of the last import, or empty' }),
    added: T.Integer(),
    changed: T.Integer(),
    skipped: T.Integer(),
  },
  { $id: 'Feed' },
)

/** Websites whose feeds are imported into a column on a schedule. */
export const feeds = {
  list: get('/console-api/news/feeds', {
    summary:
      'List the feeds of the columns the caller may write in, with the result of their last import',
    ...operator,
    reply: T.Array(Feed),
  }),
  create: post('/console-api/news/feeds', {
    summary: 'Add a feed',
    ...operator,
    body: T.Object(feedFields),
    reply: Feed,
    errors: ['news.column_not_found', 'news.feed_taken'],
  }),
  update: put('/console-api/news/feeds/{id}', {
    summary: 'Update a feed',
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
    summary: 'Delete a feed; its imported articles stay',
    ...operator,
    params,
    reply: T.Null(),
    errors: ['news.feed_not_found'],
  }),
  fetch: post('/console-api/news/feeds/{id}/fetch', {
    summary:
      'Import a feed now; fails with news.feed_busy while another feed of the same host is being read',
    ...operator,
    params,
    reply: Feed,
    errors: ['news.feed_not_found', 'news.feed_busy'],
  }),
}
