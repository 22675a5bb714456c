import type { articleReview } from '@atrium/contract/content/editorial-review.operator'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { inDepartment } from '#platform/operated-department.ts'
import type { Platform } from '#platform/platform.ts'
import { listPlanned } from './calendar.ts'
import { assertOwnColumn, assertSchedulable, performStep } from './handlers.ts'
import { notifyWriters } from './messages.ts'
import { findManaged, lockWork, reschedule, updateWork } from './queries.ts'
import { deleteRemark, getRemark, insertRemark, listRemarks, setResolved } from './remarks.ts'
import { listReviewers, replaceReviewers } from './reviewers.ts'
import { diffTexts, toStored } from './texts.ts'

const maxDays = 100

/** Changes the remarks on an article the caller may edit, and returns all of them. */
async function changeRemarks(
  { platform, viewer }: { platform: Platform; viewer: Member },
  articleId: string,
  change: (db: Platform['db']) => Promise<unknown>,
) {
  await platform.db.transaction().execute(async (db) => {
    if (!(await lockWork(db, viewer, articleId))) fail('news.not_found')
    await change(db)
  })
  return listRemarks(platform.db, viewer, articleId)
}

export const articleReviewHandlers: Handlers<typeof articleReview> = {
  async remarks({ db, viewer, params: { id } }) {
    if (!(await findManaged(db, viewer, id))) fail('news.not_found')
    return listRemarks(db, viewer, id)
  },

  remark: (context) =>
    changeRemarks(context, context.params.id, async (db) => {
      const { viewer, params, body } = context
      await insertRemark(db, viewer, { articleId: params.id, parentId: null, ...body })
      await notifyWriters(db, viewer, params.id, 'remark', body.content.trim())
    }),

  answer: (context) =>
    changeRemarks(context, context.params.id, async (db) => {
      const { viewer, params, body } = context
      const { id, language } = await getRemark(db, params.id, params.remarkId)
      await insertRemark(db, viewer, {
        articleId: params.id,
        parentId: id,
        language: language as 'zh' | 'en',
        quote: '',
        prefix: '',
        suffix: '',
        content: body.content,
      })
    }),

  resolve: (context) =>
    changeRemarks(context, context.params.id, async (db) => {
      const { id } = await getRemark(db, context.params.id, context.params.remarkId)
      await setResolved(db, context.viewer, id, context.body.resolved)
    }),

  removeRemark: (context) =>
    changeRemarks(context, context.params.id, async (db) => {
      const { id, remarkId } = context.params
      if (!(await deleteRemark(db, context.viewer, id, remarkId))) fail('news.remark_not_found')
    }),

  async compare({ db, viewer, params: { id }, body }) {
    const article = (await findManaged(db, viewer, id)) ?? fail('news.not_found')
    return diffTexts(article.text, toStored(body))
  },

  plan: (context) =>
    performStep(context, context.body.revision, async (db, { showing }) => {
      const { params, body } = context
      // Would hide a visible article until then.
      if (showing === 'shown') fail('news.step_refused')
      if (body.at !== null) assertSchedulable(body.at)
      if (showing !== 'scheduled') return updateWork(db, params.id, { planned_at: body.at })
      // Already published with a future date: withdrawing is the way to cancel that.
      if (body.at === null) fail('news.step_refused')
      await reschedule(db, params.id, body.at)
      await updateWork(db, params.id, {})
      await invalidate(db, 'news')
    }),

  async calendar({ db, viewer, query: { from, to, department } }) {
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000
    if (!(days > 0 && days <= maxDays)) fail('request.invalid', { fields: { to: 'range' } })
    return listPlanned(db, await inDepartment(db, viewer, department), from, to)
  },

  async reviewers({ db, viewer, params: { id } }) {
    await assertOwnColumn(db, viewer, id)
    return listReviewers(db, id)
  },

  async setReviewers({ platform, viewer, params: { id }, body: { usernames } }) {
    await platform.db.transaction().execute(async (db) => {
      await assertOwnColumn(db, viewer, id)
      await replaceReviewers(db, id, usernames)
    })
    return listReviewers(platform.db, id)
  },
}
