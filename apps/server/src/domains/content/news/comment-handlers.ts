import type { commentReview, comments } from '@atrium/contract/content/comments'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Viewer } from '#platform/http/guard.ts'
import { pageSizeOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import {
  decideComment,
  deleteOwnComment,
  findCommentMode,
  findOpinions,
  findOthersComment,
  insertComment,
  insertReport,
  listComments,
  listOwnComments,
  listToReview,
  setCommentMode,
  setLike,
} from './comments.ts'

const getCommentMode = async (db: Db, viewer: Viewer, articleId: string) =>
  (await findCommentMode(db, viewer, articleId)) ?? fail('news.not_found')

export const commentHandlers: Handlers<typeof comments> = {
  async opinions({ db, viewer, params: { id } }) {
    return (await findOpinions(db, viewer, id)) ?? fail('news.not_found')
  },

  like: ({ platform, viewer, params: { id }, body }) =>
    platform.db.transaction().execute(async (db) => {
      await getCommentMode(db, viewer, id)
      await setLike(db, viewer.accountId, id, body.type === '1')
      const { likes, liked } = (await findOpinions(db, viewer, id)) ?? fail('news.not_found')
      return { likes, liked }
    }),

  async list({ db, viewer, params: { id }, query }) {
    // If comments are off, existing ones are hidden too.
    if ((await getCommentMode(db, viewer, id)) === 'off') return { list: [], nextCursor: null }
    return listComments(db, viewer, id, { cursor: query.cursor, pageSize: pageSizeOf(query) })
  },

  async own({ db, viewer, params: { id } }) {
    await getCommentMode(db, viewer, id)
    return listOwnComments(db, viewer.accountId, id)
  },

  async add({ platform, viewer, params: { id }, body }) {
    const content = body.content.trim()
    if (!content) fail('request.invalid', { fields: { content: 'required' } })
    const added = await platform.db.transaction().execute(async (db) => {
      const mode = await getCommentMode(db, viewer, id)
      if (mode === 'off') return fail('comment.closed')
      return insertComment(db, viewer.accountId, id, content, mode)
    })
    return added ?? fail('comment.too_many', { retryAfter: 60 })
  },

  async remove({ db, viewer, params: { id } }) {
    if (!(await deleteOwnComment(db, viewer.accountId, id))) fail('comment.not_found')
    return null
  },

  async report({ platform, viewer, params: { id }, body }) {
    const reported = await platform.db.transaction().execute(async (db) => {
      if (!(await findOthersComment(db, viewer, id))) return fail('comment.not_found')
      return insertReport(db, viewer.accountId, id, body.reason.trim())
    })
    if (!reported) fail('comment.too_many', { retryAfter: 3600 })
    return null
  },
}

export const commentReviewHandlers: Handlers<typeof commentReview> = {
  list: ({ db, query }) =>
    listToReview(db, query.status, { cursor: query.cursor, pageSize: pageSizeOf(query) }),

  approve: ({ platform, viewer, params: { id } }) =>
    platform.db.transaction().execute(async (db) => {
      if (!(await decideComment(db, viewer.accountId, id, 'shown', ''))) fail('comment.not_found')
      return null
    }),

  refuse: ({ platform, viewer, params: { id }, body }) =>
    platform.db.transaction().execute(async (db) => {
      const { reason } = body
      if (!(await decideComment(db, viewer.accountId, id, 'refused', reason)))
        fail('comment.not_found')
      return null
    }),

  async setMode({ platform, body: { columnId, articleId, mode } }) {
    if (!columnId === !articleId) fail('request.invalid', { fields: { columnId: 'choice' } })
    if (columnId && mode === 'column') fail('request.invalid', { fields: { mode: 'choice' } })
    await platform.db.transaction().execute(async (db) => {
      const target = columnId ? { columnId } : { articleId: articleId ?? '' }
      if (!(await setCommentMode(db, target, mode === 'column' ? null : mode)))
        fail(columnId ? 'news.column_not_found' : 'news.not_found')
      await invalidate(db, 'news')
    })
    return null
  },
}
