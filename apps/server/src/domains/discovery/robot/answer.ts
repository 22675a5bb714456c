import type { AnswerSource } from '@atrium/contract/discovery/robot'
import type { SearchAnswer, SearchKind, SearchResult } from '@atrium/contract/discovery/search'
import type { Language } from '@atrium/contract/error-texts'
import { listHotQuestions } from '#domains/discovery/knowledge/queries.ts'
import { searchWeighed } from '#domains/discovery/search/find.ts'
import { understand } from '#domains/discovery/search/understand.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { wordsToFind } from '#platform/text/tokenize-chinese.ts'
import { type Passage, readPassage, sourceOf } from './passages.ts'
import { type Answer, noAnswer } from './queries.ts'
import { sentencesOf, telling } from './sentences.ts'
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
const foundPerKind = 5
const maxSources = 3
const maxSentences: Partial<Record<SearchKind, number>> = { question: 12, guide: 10, news: 3 }
const maxWays = 4
const maxFollowUps = 3
/** Sources below this share of the best weight are considered unrelated. */
const nearBest = 0.85

export type Asked = {
  question: string
  /** the previous question in this dialog and its sources */
  before?: { question: string; sources: readonly AnswerSource[] } | undefined
  language: Language
}

/** What this member finds for a question, best first, and the results whose texts may form an answer. */
export async function findKnown(platform: Platform, viewer: Member, question: string) {
  const { answer, found } = await searchWeighed(platform, viewer, question.slice(0, 100), {
    kinds: new Set(answerKinds),
    limit: foundPerKind,
  })
  // For a "how to" question, the guide comes before the service.
  const guideId = answer?.kind === 'guide' ? answer.ways[0]?.serviceId : undefined
  const isGuide = ({ result: { kind, id } }: (typeof found)[number]) =>
    kind === 'guide' && id === guideId
  const weighty = found.filter(
    ({ result: { kind }, weight }) => weight >= (minWeight[kind] ?? Number.POSITIVE_INFINITY),
  )
  const known = [...found.filter(isGuide), ...weighty.filter((one) => !isGuide(one))]
  return { answer, found, known }
}

/**
 * An answer made of sentences from texts the member may see, each with its source; without a model. A question that
 * cannot be answered alone is retried together with the previous one.
 */
export async function answerFromSearch(
  platform: Platform,
  viewer: Member,
  { question, before, language }: Asked,
): Promise<Answer> {
  if (isGreeting(question))
    return {
      ...noAnswer,
      parts: [{ text: texts.greeting[language], source: null }],
      followUps: await hot(platform, viewer, language),
      outcome: 'greeting',
    }
  const first = await tryToAnswer(platform, viewer, question, language)
  if (first.outcome !== 'unknown' || !before) return first
  const together = await tryToAnswer(platform, viewer, `${before.question} ${question}`, language)
  if (together.outcome !== 'unknown') return together
  return (await answerFromBefore(platform, viewer, question, before.sources, language)) ?? first
}

/** Answers from the previous answer's sources, if they contain words of the question. */
async function answerFromBefore(
  platform: Platform,
  viewer: Member,
  question: string,
  sources: readonly AnswerSource[],
  language: Language,
): Promise<Answer | undefined> {
  const { words } = await understand(question, new Map())
  for (const source of sources) {
    if (source.kind !== 'question' && source.kind !== 'news') continue
    const result = { ...source, text: '', textEn: '', icon: null, iconUrl: '', at: null }
    const passage = await readPassage(platform, viewer, result, language)
    const holding = sentencesOf(passage?.text ?? '').filter((sentence) =>
      words.some((word) => word.length > 1 && sentence.toLowerCase().includes(word)),
    )
    if (!passage || holding.length === 0) continue
    return {
      ...noAnswer,
      parts: holding.slice(0, 3).map((text) => ({ text, source: 0 })),
      sources: [passage.source],
      ways: passage.ways,
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
  const { answer, found, known } = await findKnown(platform, viewer, question)
  const ways = found
    .filter(({ result: { kind } }) => kind === 'service' || kind === 'page' || kind === 'guide')
    .map(({ result }) => sourceOf(result))
  const own = answer && ownAnswer(answer, language)
  const related = found.filter(({ result }) => result.kind === 'question')
  if (own)
    return {
      ...own,
      followUps: related.slice(0, maxFollowUps).map(({ result }) => named(result, language)),
    }
  const best = known[0]
  const words = await wordsToFind(question)
  const guides = new Set(known.flatMap(({ result }) => (result.kind === 'guide' ? result.id : [])))
  const near = known
    .filter(({ weight }) => best && weight >= best.weight * nearBest)
    // A service is omitted if its guide answers.
    .filter(({ result }) => result.kind !== 'service' || !guides.has(result.id))
    .slice(0, maxSources)
  const passages = await Promise.all(
    near.map(({ result }) => readPassage(platform, viewer, result, language)),
  )
  const told = passages.filter((passage): passage is Passage => passage !== undefined)
  // A matching question with its answer suffices.
  const used = told[0]?.source.kind === 'question' ? told.slice(0, 1) : told
  const parts = used.flatMap(({ source: { kind }, text }, at) => {
    const sentences = sentencesOf(text)
    const max = maxSentences[kind] ?? 2
    const chosen = kind === 'news' ? telling(sentences, words, max) : sentences.slice(0, max)
    return chosen.map((sentence) => ({ text: sentence, source: at }))
  })
  const usedIds = new Set(used.map(({ source }) => `${source.kind}:${source.id}`))
  const open = ways.filter(({ kind, id }) => !usedIds.has(`${kind}:${id}`)).slice(0, maxWays)
  const next = related
    .filter(({ result }) => !usedIds.has(`question:${result.id}`))
    .slice(0, maxFollowUps)
    .map(({ result }) => named(result, language))
  if (parts.length === 0)
    return {
      ...noAnswer,
      parts: [{ text: texts.unknown[language], source: null }],
      ways: open,
      followUps: next.length > 0 ? next : await hot(platform, viewer, language),
      outcome: 'unknown',
    }
  return {
    ...noAnswer,
    parts,
    sources: used.map(({ source }) => source),
    ways: distinct([...used.flatMap(({ ways }) => ways), ...open]).slice(0, maxWays),
    followUps: next,
    outcome: 'answered',
  }
}

/** Removes duplicates: a guide's service is often found separately too. */
const distinct = (ways: readonly AnswerSource[]) =>
  [...new Map(ways.toReversed().map((way) => [way.to || way.serviceId, way])).values()].toReversed()

const named = ({ title, titleEn }: SearchResult, language: Language) =>
  language === 'en' ? titleEn || title : title

const hot = async ({ db }: Platform, viewer: Member, language: Language) =>
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
export function ownAnswer(answer: SearchAnswer, language: Language): Answer | undefined {
  const kind = kindOfAnswer[answer.kind]
  if (!kind) return undefined
  const pick = (zh: string, en: string) => (language === 'en' ? en || zh : zh)
  const [first, ...others] = answer.ways
  const lines = [
    [pick(answer.title, answer.titleEn), pick(answer.text, answer.textEn)]
      .filter(Boolean)
      .join(language === 'en' ? ': ' : '：'),
    ...answer.facts.map(
      (fact) =>
        `${pick(fact.name, fact.nameEn)}${language === 'en' ? ': ' : '：'}${pick(fact.value, fact.valueEn)}`,
    ),
  ].filter(Boolean)
  const way = ({ name, nameEn, to, serviceId }: SearchAnswer['ways'][number], id: string) => ({
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
    ways: others.slice(0, maxWays).map((one, at) => way(one, `way-${at}`)),
    followUps: [],
    outcome: 'answered',
  }
}
