import type { feeds } from '@atrium/contract/content/news-feeds.operator'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { deleteFeed, fetchFeed, insertFeed, isTaken, listFeeds, updateFeed } from './feeds.ts'
import { findOwnColumn } from './queries.ts'

const getOwnFeed = async (db: Db, viewer: Member, id: string) => {
  const [feed] = await listFeeds(db, viewer, id)
  return feed ?? fail('news.feed_not_found')
}

/** Checks the address, and that the viewer may write in the column. */
async function assertFeed(db: Db, viewer: Member, body: { address: string; columnId: string }) {
  if (!URL.canParse(body.address)) fail('request.invalid', { fields: { address: 'format' } })
  if (!(await findOwnColumn(db, viewer, body.columnId))) fail('news.column_not_found')
}

export const feedHandlers: Handlers<typeof feeds> = {
  list: ({ db, viewer }) => listFeeds(db, viewer),

  create: ({ platform, viewer, body }) =>
    platform.db.transaction().execute(async (db) => {
      await assertFeed(db, viewer, body)
      return getOwnFeed(db, viewer, (await insertFeed(db, body)) ?? fail('news.feed_taken'))
    }),

  update: ({ platform, viewer, params: { id }, body }) =>
    platform.db.transaction().execute(async (db) => {
      await getOwnFeed(db, viewer, id)
      await assertFeed(db, viewer, body)
      if (await isTaken(db, body.address, id)) fail('news.feed_taken')
      if (!(await updateFeed(db, id, body.revision, body))) fail('news.changed_meanwhile')
      return getOwnFeed(db, viewer, id)
    }),

  remove: ({ platform, viewer, params: { id } }) =>
    platform.db.transaction().execute(async (db) => {
      await getOwnFeed(db, viewer, id)
      await deleteFeed(db, id)
      return null
    }),

  async fetch({ platform, viewer, params: { id } }) {
    const { db } = platform
    await getOwnFeed(db, viewer, id)
    if (!(await fetchFeed(platform, id))) fail('news.feed_busy')
    return getOwnFeed(db, viewer, id)
  },
}
