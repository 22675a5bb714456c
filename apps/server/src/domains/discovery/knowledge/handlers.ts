import type { Static } from '@atrium/contract/define'
import type { knowledge } from '@atrium/contract/discovery/knowledge'
import type { knowledgeConsole } from '@atrium/contract/discovery/knowledge.operator'
import { isOwnPath } from '@atrium/contract/own-path'
import { getOperatedOrganization } from '#domains/content/editorial/columns.ts'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { audienceFor } from '#platform/audience.ts'
import { checkedAudience } from '#platform/checked-audience.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import {
  countUse,
  deleteQuestion,
  findQuestion,
  insertQuestion,
  listManaged,
  type QuestionValues,
  updateQuestion,
} from './queries.ts'

export const knowledgeHandlers: Handlers<typeof knowledge> = {
  read: async ({ db, viewer, params: { id } }) =>
    (await findQuestion(db, viewer, id)) ?? fail('knowledge.not_found'),

  async judge({ db, viewer, params: { id }, body: { helpful } }) {
    if (!(await findQuestion(db, viewer, id))) fail('knowledge.not_found')
    await countUse(db, id, helpful ? 'helpful' : 'unhelpful')
    return null
  },
}

/** Whether a link is a page of the portal, or a web address without credentials. */
export function isLink(url: string) {
  if (url.startsWith('/')) return isOwnPath(url)
  if (!/^https?:\/\/[^/?#\s\\]+[^\s\\]*$/i.test(url) || !URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username === '' && password === ''
}

type Content = Static<typeof knowledgeConsole.create.body>

/** @throws request.invalid */
async function valuesOf(db: Db, viewer: Member, content: Content): Promise<QuestionValues> {
  const place = await getOperatedOrganization(db, viewer, 'content', content.organization)
  const owner = content.owner === null ? undefined : await findAccountByUsername(db, content.owner)
  if (content.owner !== null && !owner) fail('request.invalid', { fields: { owner: 'unknown' } })
  const url = content.url.trim()
  if (url !== '' && !isLink(url)) fail('request.invalid', { fields: { url: 'format' } })
  const { validFrom, validUntil } = content
  if (validFrom && validUntil && Date.parse(validUntil) <= Date.parse(validFrom))
    fail('request.invalid', { fields: { validUntil: 'order' } })
  return {
    question: content.question.trim(),
    question_en: content.questionEn.trim(),
    answer: content.answer.trim(),
    answer_en: content.answerEn.trim(),
    wordings: [...new Set(content.wordings.map((text) => text.trim()).filter(Boolean))],
    url,
    organization_id: place?.id ?? null,
    owner_account_id: owner?.id ?? null,
    audience_id: await audienceFor(db, await checkedAudience(db, content.audience)),
    online: content.online,
    valid_from: validFrom,
    valid_until: validUntil,
    review_on: content.reviewOn,
  }
}

async function getManaged(db: Db, viewer: Member, id: string) {
  const { list } = await listManaged(db, viewer, {}, id)
  return list[0] ?? fail('knowledge.not_found')
}

async function change<T>(platform: Platform, work: (db: Db) => Promise<T>): Promise<T> {
  return platform.db.transaction().execute(async (db) => {
    const result = await work(db)
    await invalidate(db, 'knowledge')
    return result
  })
}

export const knowledgeConsoleHandlers: Handlers<typeof knowledgeConsole> = {
  list: ({ db, viewer, query }) => listManaged(db, viewer, query),

  create: ({ platform, viewer, body }) =>
    change(platform, async (db) =>
      getManaged(db, viewer, await insertQuestion(db, await valuesOf(db, viewer, body))),
    ),

  update: ({ platform, viewer, params: { id }, body: { revision, ...content } }) =>
    change(platform, async (db) => {
      await getManaged(db, viewer, id)
      const values = await valuesOf(db, viewer, content)
      if (!(await updateQuestion(db, id, revision, values))) fail('knowledge.changed_meanwhile')
      return getManaged(db, viewer, id)
    }),

  review: ({ platform, viewer, params: { id }, body: { revision, reviewOn } }) =>
    change(platform, async (db) => {
      await getManaged(db, viewer, id)
      if (!(await updateQuestion(db, id, revision, { review_on: reviewOn })))
        fail('knowledge.changed_meanwhile')
      return getManaged(db, viewer, id)
    }),

  remove: ({ platform, viewer, params: { id } }) =>
    change(platform, async (db) => {
      await getManaged(db, viewer, id)
      await deleteQuestion(db, id)
      return null
    }),
}
