import type { ManagedArticle, newsConsole } from '@atrium/contract/content/editorial.operator'
import type { Static } from '@atrium/contract/define'
import { sql } from 'kysely'
import { writeArticleWords } from '#domains/content/news/search.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { inDepartment } from '#platform/operated-department.ts'
import type { Platform } from '#platform/platform.ts'
import {
  deleteEmptyColumn,
  insertColumn,
  listEditors,
  listOwnColumns,
  reorderColumns,
  updateColumn,
} from './columns.ts'
import { copyPictures } from './copy-pictures.ts'
import { previewOf, recordFileUses, replaceAttachments, validateText } from './files.ts'
import { listManaged } from './lists.ts'
import { notifyReviewers, notifyWriters } from './messages.ts'
import {
  type ArticleWork,
  assertReviewer,
  deleteArticle,
  findManaged,
  findOwnColumn,
  insertDraft,
  lockWork,
  publishText,
  setArticle,
  updateUnpublished,
  updateWork,
} from './queries.ts'
import { diffTexts } from './texts.ts'
import {
  continueVersion,
  findVersion,
  findWriter,
  hasWrittenSince,
  insertVersion,
  isStoredVersion,
  listVersions,
} from './versions.ts'

/** Maximum days ahead for scheduling. */
const maxDays = 730

/** @throws request.invalid if a moment is past, or too far ahead */
export function assertSchedulable(at: string) {
  const ahead = Date.parse(at) - Date.now()
  if (ahead <= 0 || ahead > maxDays * 86_400_000)
    fail('request.invalid', { fields: { at: 'range' } })
}

type ArticleContext = { platform: Platform; viewer: Member; params: { id: string } }

/**
 * Performs one step on an article unless it was changed since the caller saw it, and returns the result.
 * @param isRepeated whether the intervening change is this same step, repeated because its answer was lost
 */
export async function performStep(
  { platform, viewer, params: { id } }: ArticleContext,
  revision: number,
  work: (db: Db, work: ArticleWork) => Promise<void>,
  isRepeated: (db: Db, work: ArticleWork) => Promise<boolean> = async () => false,
): Promise<Static<typeof ManagedArticle>> {
  await platform.db.transaction().execute(async (db) => {
    const current = (await lockWork(db, viewer, id)) ?? fail('news.not_found')
    if (current.revision === revision) return work(db, current)
    if (!(await isRepeated(db, current))) fail('news.changed_meanwhile')
  })
  return readArticle(platform, viewer, id)
}

async function readArticle(platform: Platform, viewer: Member, id: string) {
  const article = (await findManaged(platform.db, viewer, id)) ?? fail('news.not_found')
  return { ...article, ...(await previewOf(platform, id, article.version, article.text)) }
}

export const assertOwnColumn = async (db: Db, viewer: Member, id: string) =>
  (await findOwnColumn(db, viewer, id)) ?? fail('news.column_not_found')

export const newsConsoleHandlers: Handlers<typeof newsConsole> = {
  columns: async ({ db, viewer, query }) =>
    listOwnColumns(db, await inDepartment(db, viewer, query.department)),

  async editors({ db, viewer, query: { department } }) {
    await inDepartment(db, viewer, department)
    return listEditors(db, department)
  },

  async arrangeColumns({ platform, viewer, body: { ids } }) {
    await platform.db.transaction().execute(async (db) => {
      const ownIds = new Set((await listOwnColumns(db, viewer)).map(({ id }) => id))
      if (!ids.every((id) => ownIds.has(id))) fail('news.column_not_found')
      await reorderColumns(db, ids)
      await invalidate(db, 'news')
    })
    return listOwnColumns(platform.db, viewer)
  },

  async createColumn({ platform, viewer, body }) {
    const id = await platform.db.transaction().execute(async (db) => {
      const created = (await insertColumn(db, viewer, body)) ?? fail('news.column_taken')
      await invalidate(db, 'news')
      return created
    })
    const [column] = await listOwnColumns(platform.db, viewer, id)
    return column ?? fail('news.column_not_found')
  },

  async updateColumn({ platform, viewer, params: { id }, body }) {
    await platform.db.transaction().execute(async (db) => {
      await assertOwnColumn(db, viewer, id)
      await updateColumn(db, viewer, id, body)
      await invalidate(db, 'news')
    })
    const [column] = await listOwnColumns(platform.db, viewer, id)
    return column ?? fail('news.column_not_found')
  },

  async removeColumn({ platform, viewer, params: { id } }) {
    await platform.db.transaction().execute(async (db) => {
      await assertOwnColumn(db, viewer, id)
      if (!(await deleteEmptyColumn(db, id))) fail('news.column_in_use')
      await invalidate(db, 'news')
    })
    return null
  },

  list: async ({ db, viewer, query: { department, ...filter } }) =>
    listManaged(db, await inDepartment(db, viewer, department), filter),
  read: ({ platform, viewer, params }) => readArticle(platform, viewer, params.id),

  copyPictures: ({ platform, viewer, body: { addresses } }) =>
    copyPictures(platform, viewer, addresses),

  async create({ platform, viewer, body }) {
    const id = await platform.db.transaction().execute(async (db) => {
      await assertOwnColumn(db, viewer, body.columnId)
      const text = await validateText(platform, db, viewer, body)
      const created = await insertDraft(db, text, viewer.accountId)
      await recordFileUses(db, created, 1, text)
      return created
    })
    return readArticle(platform, viewer, id)
  },

  save(context) {
    const { platform, viewer, params, body } = context
    const { revision, autosave, ...input } = body
    const textOf = (db: Db) => validateText(platform, db, viewer, input, params.id)
    return performStep(
      context,
      revision,
      async (db, work) => {
        // A text under review must not change.
        if (autosave && work.state === 'review') fail('news.step_refused')
        await assertOwnColumn(db, viewer, input.columnId)
        const text = await textOf(db)
        const written = { articleId: params.id, text, accountId: viewer.accountId }
        const isContinued =
          autosave &&
          work.state === 'draft' &&
          work.version > Math.max(work.approved_version ?? 0, work.live_version ?? 0) &&
          (await continueVersion(db, { ...written, number: work.version }))
        const version = isContinued ? work.version : work.version + 1
        if (!isContinued) await insertVersion(db, { ...written, number: version })
        await recordFileUses(db, params.id, version, text)
        await updateUnpublished(db, params.id, text)
        await updateWork(db, params.id, { ...unreviewed, state: 'draft', version })
      },
      async (db, { version }) =>
        isStoredVersion(db, {
          articleId: params.id,
          number: version,
          text: await textOf(db),
          accountId: viewer.accountId,
        }),
    )
  },

  async remove({ platform, viewer, params: { id }, query }) {
    await platform.db.transaction().execute(async (db) => {
      const work = (await lockWork(db, viewer, id)) ?? fail('news.not_found')
      if (work.revision !== query.revision) fail('news.changed_meanwhile')
      if (work.live_version !== null) fail('news.step_refused')
      await deleteArticle(db, id)
    })
    return null
  },

  submit: (context) =>
    performStep(context, context.body.revision, async (db, { state }) => {
      if (state !== 'draft' && state !== 'refused') fail('news.step_refused')
      await updateWork(db, context.params.id, { ...unreviewed, state: 'review' })
      await notifyReviewers(db, context.viewer, context.params.id)
    }),

  approve: (context) =>
    performStep(
      context,
      context.body.revision,
      async (db, { state, version, approved_version }) => {
        const { viewer, params } = context
        if (state !== 'review') fail('news.step_refused')
        if (await hasWrittenSince(db, params.id, approved_version, viewer.personId))
          fail('news.own_text')
        await assertReviewer(db, viewer, params.id)
        await updateWork(db, params.id, {
          ...reviewedBy(viewer, ''),
          state: 'approved',
          approved_version: version,
        })
        await notifyWriters(db, viewer, params.id, 'approved')
      },
    ),

  refuse: (context) =>
    performStep(context, context.body.revision, async (db, { state }) => {
      const { viewer, params, body } = context
      if (state !== 'review') fail('news.step_refused')
      await assertReviewer(db, viewer, params.id)
      await updateWork(db, params.id, { ...reviewedBy(viewer, body.note.trim()), state: 'refused' })
      await notifyWriters(db, viewer, params.id, 'refused', body.note.trim())
    }),

  publish: (context) =>
    performStep(context, context.body.revision, async (db, work) => {
      const { viewer, params, body } = context
      if (work.state !== 'approved') fail('news.step_refused')
      if (body.at !== null) {
        // Would hide a visible article until then.
        if (work.showing === 'shown') fail('news.step_refused')
        assertSchedulable(body.at)
      }
      const text =
        (await findVersion(db, params.id, work.version)) ?? fail('news.version_not_found')
      await assertOwnColumn(db, viewer, text.columnId)
      const writtenBy = await findWriter(db, params.id, work.version)
      await publishText(db, params.id, { text, writtenBy }, body.at)
      await replaceAttachments(db, params.id, text)
      await writeArticleWords(db, [params.id])
      await updateWork(db, params.id, { live_version: work.version, planned_at: null })
      await invalidate(db, 'news')
    }),

  withdraw: (context) =>
    performStep(context, context.body.revision, async (db, { showing }) => {
      if (showing !== 'shown' && showing !== 'scheduled') fail('news.step_refused')
      await setArticle(db, context.params.id, { status: 'withdrawn' })
      await updateWork(db, context.params.id, {})
      await invalidate(db, 'news')
    }),

  pin: (context) =>
    performStep(context, context.body.revision, async (db) => {
      await setArticle(db, context.params.id, { pinned: context.body.pinned })
      await updateWork(db, context.params.id, {})
      await invalidate(db, 'news')
    }),

  async versions({ db, viewer, params: { id } }) {
    const article = (await findManaged(db, viewer, id)) ?? fail('news.not_found')
    const versions = await listVersions(db, id)
    if (versions.length > 0) return versions
    // Never edited here: the current text is the first version.
    const { title, updatedAt, writtenBy } = article
    return [{ number: 1, title, writtenAt: updatedAt, writtenBy }]
  },

  async difference({ db, viewer, params: { id, number }, query }) {
    if (!(await findManaged(db, viewer, id))) fail('news.not_found')
    const after = (await findVersion(db, id, number)) ?? fail('news.version_not_found')
    const before =
      (await findVersion(db, id, query.against ?? number - 1)) ?? fail('news.version_not_found')
    return diffTexts(before, after)
  },

  restore: (context) =>
    performStep(context, context.body.revision, async (db, work) => {
      const { viewer, params } = context
      const text =
        (await findVersion(db, params.id, params.number)) ?? fail('news.version_not_found')
      await assertOwnColumn(db, viewer, text.columnId)
      const version = work.version + 1
      const { accountId } = viewer
      await insertVersion(db, { articleId: params.id, number: version, text, accountId })
      await recordFileUses(db, params.id, version, text)
      await updateUnpublished(db, params.id, text)
      await updateWork(db, params.id, { ...unreviewed, state: 'draft', version })
    }),
}

/** Resets the review of the newest text. */
const unreviewed = { reviewer_account_id: null, reviewed_at: null, review_note: '' }
const reviewedBy = (viewer: Member, note: string) => ({
  reviewer_account_id: viewer.accountId,
  reviewed_at: sql<string>`now()`,
  review_note: note,
})
