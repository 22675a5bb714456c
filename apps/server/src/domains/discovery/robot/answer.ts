import type { AnswerSource } from '@atrium/contract/discovery/robot'
import type { SearchAnswer, SearchKind, SearchResult } from '@atrium/contract/discovery/search'
import type { Language } from '@atrium/contract/error-texts'
import { listHotQuestions } from '#domains/discovery/knowledge/queries.ts'
import { searchWeighted } from '#domains/discovery/search/find.ts'
import { parseQuery } from '#domains/discovery/search/parse-query.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { wordsToFind } from '#platform/text/tokenize-chinese.ts'
import { type Passage, readPassage, sourceOf } from './passages.ts'
import { type Answer, noAnswer } from './queries.ts'
import { relevantSentences, splitSentences } from './sentences.ts'
import { texts } from './texts.ts'

/** Kinds the robot answers from. Personal data is answered only if the search recognises the question. */
const answerKinds: readonly SearchKind[] = ['question', 'guide', 'service', 'page', 'place', 'news']
/** Results below these weights are only listed, not used for an answer. */
const minWeight: Partial<Record<SearchKind, number>> = {
  question: 0.42,
  guide: 0.5,
  service: 0.5,
  place: 0.6,
  news: 0.42,
}
/** Limits: results per kind, sources per answer, sentences per source, links and follow-ups. */
const resultsPerKind = 5
const maxSources = 3
const maxSentences: Partial<Record<SearchKind, number>> = { question: 12, guide: 10, news: 3 }
const maxLinks = 4
const maxFollowUps = 3
/** Sources below this share of the best weight are considered unrelated. */
const minShareOfBest = 0.85

export type RobotQuery = {
  question: string
  /** the previous question in this dialog and its sources */
  previous?: { question: string; sources: readonly AnswerSource[] } | undefined
  language: Language
}

/** What this member finds for a question, best first, and the results whose texts may form an answer. */
export async function findResults(platform: Platform, viewer: Member, question: string) {
  const { answer, results } = await searchWeighted(platform, viewer, question.slice(0, 100), {
    kinds: new Set(answerKinds),
    limit: resultsPerKind,
  })
  // For a "how to" question, the guide comes before the service.
  const guideId = answer?.kind === 'guide' ? answer.ways[0]?.serviceId : undefined
  const isGuide = ({ result: { kind, id } }: (typeof results)[number]) =>
    kind === 'guide' && id === guideId
  const relevant = results.filter(
    ({ result: { kind }, weight }) => weight >= (minWeight[kind] ?? Number.POSITIVE_INFINITY),
  )
  const answerable = [...results.filter(isGuide), ...relevant.filter((one) => !isGuide(one))]
  return { answer, results, answerable }
}

/**
 * An answer made of sentences from texts the member may see, each with its source; without a model. A question that
 * cannot be answered alone is retried together with the previous one.
 */
export async function answerFromSearch(
  platform: Platform,
  viewer: Member,
  { question, previous, language }: RobotQuery,
): Promise<Answer> {
  if (isGreeting(question))
    return {
      ...noAnswer,
      parts: [{ text: texts.greeting[language], source: null }],
      followUps: await hotQuestions(platform, viewer, language),
      outcome: 'greeting',
    }
  const first = await tryToAnswer(platform, viewer, question, language)
  if (first.outcome !== 'unknown' || !previous) return first
  const combined = await tryToAnswer(platform, viewer, `${previous.question} ${question}`, language)
  if (combined.outcome !== 'unknown') return combined
  return (await answerFromPrevious(platform, viewer, question, previous.sources, language)) ?? first
}

/** Answers from the previous answer's sources, if they contain words of the question. */
async function answerFromPrevious(
  platform: Platform,
  viewer: Member,
  question: string,
  sources: readonly AnswerSource[],
  language: Language,
): Promise<Answer | undefined> {
  const { words } = await parseQuery(question, new Map())
  for (const source of sources) {
    if (source.kind !== 'question' && source.kind !== 'news') continue
    const result = { ...source, text: '', textEn: '', icon: null, iconUrl: '', at: null }
    const passage = await readPassage(platform, viewer, result, language)
    const matchingSentences = splitSentences(passage?.text ?? '').filter((sentence) =>
      words.some((word) => word.length > 1 && sentence.toLowerCase().includes(word)),
    )
    if (!passage || matchingSentences.length === 0) continue
    return {
      ...noAnswer,
      parts: matchingSentences.slice(0, 3).map((text) => ({ text, source: 0 })),
      sources: [passage.source],
      ways: passage.links,
      outcome: 'answered',
    }
  }
  return undefined
}

const isGreeting = (text: string) =>
  /^(你好|您好|早上好|下午好|晚上好|在吗|嗨|hi|hello|hey|good (morning|afternoon|evening))[\s!！。.,，?？~]*$/i.test(
    text.trim(),
  )

async function tryToAnswer(
  platform: Platform,
  viewer: Member,
  question: string,
  language: Language,
): Promise<Answer> {
  const { answer, results, answerable } = await findResults(platform, viewer, question)
  const links = results
    .filter(({ result: { kind } }) => kind === 'service' || kind === 'page' || kind === 'guide')
    .map(({ result }) => sourceOf(result))
  const direct = answer && directAnswer(answer, language)
  const related = results.filter(({ result }) => result.kind === 'question')
  if (direct)
    return {
      ...direct,
      followUps: related.slice(0, maxFollowUps).map(({ result }) => titleOf(result, language)),
    }
  const best = answerable[0]
  const words = await wordsToFind(question)
  const guides = new Set(
    answerable.flatMap(({ result }) => (result.kind === 'guide' ? result.id : [])),
  )
  const topResults = answerable
    .filter(({ weight }) => best && weight >= best.weight * minShareOfBest)
    // A service is omitted if its guide answers.
    .filter(({ result }) => result.kind !== 'service' || !guides.has(result.id))
    .slice(0, maxSources)
  const passages = await Promise.all(
    topResults.map(({ result }) => readPassage(platform, viewer, result, language)),
  )
  const readable = passages.filter((passage): passage is Passage => passage !== undefined)
  // A matching question with its answer suffices.
  const usedPassages = readable[0]?.source.kind === 'question' ? readable.slice(0, 1) : readable
  const parts = usedPassages.flatMap(({ source: { kind }, text }, index) => {
    const sentences = splitSentences(text)
    const max = maxSentences[kind] ?? 2
    const chosen =
      kind === 'news' ? relevantSentences(sentences, words, max) : sentences.slice(0, max)
    return chosen.map((sentence) => ({ text: sentence, source: index }))
  })
  const usedIds = new Set(usedPassages.map(({ source }) => `${source.kind}:${source.id}`))
  const unusedLinks = links
    .filter(({ kind, id }) => !usedIds.has(`${kind}:${id}`))
    .slice(0, maxLinks)
  const suggestions = related
    .filter(({ result }) => !usedIds.has(`question:${result.id}`))
    .slice(0, maxFollowUps)
    .map(({ result }) => titleOf(result, language))
  if (parts.length === 0)
    return {
      ...noAnswer,
      parts: [{ text: texts.unknown[language], source: null }],
      ways: unusedLinks,
      followUps:
        suggestions.length > 0 ? suggestions : await hotQuestions(platform, viewer, language),
      outcome: 'unknown',
    }
  return {
    ...noAnswer,
    parts,
    sources: usedPassages.map(({ source }) => source),
    ways: distinct([...usedPassages.flatMap(({ links }) => links), ...unusedLinks]).slice(
      0,
      maxLinks,
    ),
    followUps: suggestions,
    outcome: 'answered',
  }
}

/** Removes duplicates: a guide's service is often found separately too. */
const distinct = (links: readonly AnswerSource[]) =>
  [
    ...new Map(links.toReversed().map((link) => [link.to || link.serviceId, link])).values(),
  ].toReversed()

const titleOf = ({ title, titleEn }: SearchResult, language: Language) =>
  language === 'en' ? titleEn || title : title

const hotQuestions = async ({ db }: Platform, viewer: Member, language: Language) =>
  (await listHotQuestions(db, viewer, maxFollowUps)).map(({ question, questionEn }) =>
    language === 'en' ? questionEn || question : question,
  )

const kindOfAnswer: Partial<Record<SearchAnswer['kind'], SearchKind>> = {
  hours: 'place',
  lesson: 'event',
  card: 'page',
  person: 'person',
}

/** Converts an area's answer from personal or reference data to a robot answer with one source. */
export function directAnswer(answer: SearchAnswer, language: Language): Answer | undefined {
  const kind = kindOfAnswer[answer.kind]
  if (!kind) return undefined
  const localize = (zh: string, en: string) => (language === 'en' ? en || zh : zh)
  const [first, ...links] = answer.ways
  const lines = [
    [localize(answer.title, answer.titleEn), localize(answer.text, answer.textEn)]
      .filter(Boolean)
      .join(language === 'en' ? ': ' : '：'),
    ...answer.facts.map(
      (fact) =>
        `${localize(fact.name, fact.nameEn)}${language === 'en' ? ': ' : '：'}${localize(fact.value, fact.valueEn)}`,
    ),
  ].filter(Boolean)
  const toSource = ({ name, nameEn, to, serviceId }: SearchAnswer['ways'][number], id: string) => ({
    kind,
    id,
    title: name,
    titleEn: nameEn,
    to,
    serviceId,
  })
  return {
    ...noAnswer,
    parts: lines.map((text) => ({ text, source: 0 })),
    sources: [
      {
        kind,
        id: 'answer',
        title: answer.title,
        titleEn: answer.titleEn,
        to: first?.to ?? '',
        serviceId: first?.serviceId ?? null,
      },
    ],
    ways: links.slice(0, maxLinks).map((one, index) => toSource(one, `way-${index}`)),
    followUps: [],
    outcome: 'answered',
  }
}
