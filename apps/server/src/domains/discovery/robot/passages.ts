import type { AnswerSource } from '@atrium/contract/discovery/robot'
import type { SearchResult } from '@atrium/contract/discovery/search'
import type { Language } from '@atrium/contract/error-texts'
import { listSearchHits } from '#domains/content/news/queries.ts'
import { textOf } from '#domains/content/news/search-words.ts'
import { findQuestion } from '#domains/discovery/knowledge/queries.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'

/** A text for answers, as readable by this member. */
export type Passage = { source: AnswerSource; text: string; links: AnswerSource[] }

const maxSteps = 8

export const sourceOf = ({
  kind,
  id,
  title,
  titleEn,
  to,
  serviceId,
}: SearchResult): AnswerSource => ({
  kind,
  id,
  title,
  titleEn,
  to,
  serviceId,
})

/** The text of a result, in the caller's language if available; undefined if it has none. */
export async function readPassage(
  { db }: Platform,
  viewer: Member,
  result: SearchResult,
  language: Language,
): Promise<Passage | undefined> {
  const localize = (zh: string, en: string) => (language === 'en' ? en || zh : zh)
  const source = sourceOf(result)
  const passage = (text: string, links: AnswerSource[] = []) =>
    text.trim() ? { source, text, links } : undefined
  switch (result.kind) {
    case 'question': {
      const question = await findQuestion(db, viewer, result.id)
      if (!question) return undefined
      const links = question.url
        ? [{ ...source, kind: 'page' as const, id: `question:${result.id}`, to: question.url }]
        : []
      return passage(localize(question.answer, question.answerEn), links)
    }
    case 'guide': {
      const steps = await db
        .selectFrom('service_guide_step')
        .select(['title', 'title_en', 'content', 'content_en'])
        .where('service_id', '=', result.id)
        .orderBy('position')
        .orderBy('id')
        .limit(maxSteps)
        .execute()
      const colon = language === 'en' ? ': ' : '：'
      const lines = steps.map((step, index) =>
        [
          `${index + 1}. ${localize(step.title, step.title_en)}`,
          localize(step.content, step.content_en),
        ]
          .filter(Boolean)
          .join(colon)
          .replaceAll('\n', ' '),
      )
      return passage([localize(result.text, result.textEn), ...lines].filter(Boolean).join('\n'), [
        { ...source, kind: 'service', to: '', serviceId: result.id },
      ])
    }
    case 'news': {
      const [article] = await listSearchHits(db, viewer, [result.id])
      return article && passage(textOf(localize(article.body, article.body_en)))
    }
    case 'service':
    case 'place':
      return passage(localize(result.text, result.textEn))
    default:
      return undefined
  }
}
