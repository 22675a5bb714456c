import type { DialogLine } from '@atrium/contract/discovery/robot'
import { reserveModel, type UsableModel } from '#domains/discovery/assistant/assistant.ts'
import { callModel, ModelError } from '#domains/discovery/assistant/model-client.ts'
import { addTokens } from '#domains/discovery/assistant/queries.ts'
import { zoneOf } from '#domains/work/schedule/day-bounds.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { answerFromSearch, directAnswer, findResults, type RobotQuery } from './answer.ts'
import { type Passage, readPassage } from './passages.ts'
import {
  buildPrompt,
  citedParts,
  createCitationFilter,
  redactPersonalData,
  unknownMarker,
} from './prompt.ts'
import { type Answer, noAnswer } from './queries.ts'
import type { AnswerSink } from './stream.ts'
import { texts } from './texts.ts'
import { evaluateCalls, toolsFor } from './tools.ts'

/** Maximum sources sent to a model, and the minimum weight of a relevant one. */
const maxPassages = 6
const minWeight = 0.2
const maxTokens = 700

export type EarlierLines = readonly { author: 'member' | 'robot'; text: string }[]

/**
 * An answer formulated by a model from what the member may see. If there is no model, a limit is reached or the model
 * fails, falls back to the search answer, with the reason as notice.
 */
export async function answerByModel(
  platform: Platform,
  viewer: Member,
  query: RobotQuery,
  earlier: EarlierLines,
  sink: AnswerSink,
): Promise<Answer> {
  const withoutModel = async (notice: DialogLine['notice']): Promise<Answer> => ({
    ...(await answerFromSearch(platform, viewer, query)),
    notice,
  })
  const access = await reserveModel(platform, viewer)
  if (access === undefined) return withoutModel(null)
  if (typeof access === 'string') return withoutModel(access)
  const material = await passagesFor(platform, viewer, query, access)
  const tools = toolsFor(query.question, access.agreed)
  // Without sources or tools the model could not answer.
  if (material.passages.length === 0 && tools.length === 0) return withoutModel(null)
  const timeZone = await zoneOf(platform, viewer)
  try {
    const { text, calls, tokens } = await callModel(
      access.model,
      {
        maxTokens,
        tools,
        messages: buildPrompt({
          question: access.agreed ? query.question : redactPersonalData(query.question, viewer),
          passages: material.passages,
          history: access.agreed ? earlier : [],
          language: query.language,
          now: `${Temporal.Now.plainDateTimeISO(timeZone).toString({ smallestUnit: 'minute' })} (${timeZone})`,
        }),
      },
      {
        allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
        signal: sink.signal,
        onText: createCitationFilter((piece) => sink.text(piece)),
      },
    )
    await addTokens(platform.db, viewer.accountId, access.day, tokens)
    const allowed = calls.filter(({ name }) => tools.some((one) => one.function.name === name))
    const toolAnswer = await evaluateCalls(platform, viewer, allowed, {
      language: query.language,
      timeZone,
    })
    const textAnswer = toTextAnswer(text, material, query)
    return toolAnswer ? combineAnswers(toolAnswer, textAnswer) : textAnswer
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    platform.log.warn({ err: error, fault: error.fault }, 'the model of the assistant failed')
    return withoutModel(noticeOf[error.fault])
  }
}

const noticeOf = {
  down: 'down',
  refused: 'down',
  busy: 'down',
  slow: 'slow',
  cut: 'cut',
  garbage: 'garbage',
} as const

type Material = { passages: Passage[]; links: Answer['ways'] }

async function passagesFor(
  platform: Platform,
  viewer: Member,
  { question, previous, language }: RobotQuery,
  { sends, agreed }: UsableModel,
): Promise<Material> {
  const { answer, results } = await findResults(platform, viewer, question)
  const moreResults =
    previous && results.length < maxPassages
      ? (await findResults(platform, viewer, `${previous.question} ${question}`)).results
      : []
  const seen = new Set<string>()
  const relevant = [...results, ...moreResults].filter(({ result: { kind, id }, weight }) => {
    const key = `${kind}:${id}`
    const isRelevant = weight >= minWeight && sends.some((one) => one === kind) && !seen.has(key)
    seen.add(key)
    return isRelevant
  })
  const passages = await Promise.all(
    relevant
      .slice(0, maxPassages)
      .map(({ result }) => readPassage(platform, viewer, result, language)),
  )
  // Opening hours are public; lessons, cards and people are personal and need the member's consent.
  const mayUseAnswer = answer && (answer.kind === 'hours' ? sends.includes('place') : agreed)
  const direct = mayUseAnswer ? directAnswer(answer, language) : undefined
  const answerPassage = direct?.sources[0] && {
    source: direct.sources[0],
    text: direct.parts.map(({ text }) => text).join('\n'),
    links: direct.ways,
  }
  return {
    passages: [
      ...(answerPassage ? [answerPassage] : []),
      ...passages.filter((one) => one !== undefined),
    ],
    links: results
      .filter(({ result: { kind } }) => kind === 'service' || kind === 'page')
      .slice(0, 3)
      .map(({ result: { kind, id, title, titleEn, to, serviceId } }) => ({
        kind,
        id,
        title,
        titleEn,
        to,
        serviceId,
      })),
  }
}

/** Combines tool results with the model's text, if it has sources. */
const combineAnswers = (toolAnswer: Answer, textAnswer: Answer): Answer =>
  textAnswer.outcome === 'unknown'
    ? toolAnswer
    : {
        ...toolAnswer,
        sources: [...toolAnswer.sources, ...textAnswer.sources],
        parts: [
          ...toolAnswer.parts,
          ...textAnswer.parts.map((part) => ({
            ...part,
            source: part.source === null ? null : part.source + toolAnswer.sources.length,
          })),
        ],
      }

/** The model's text, limited to sentences that cite the given sources. */
function toTextAnswer(
  text: string,
  { passages, links }: Material,
  { language }: RobotQuery,
): Answer {
  const parts = citedParts(text, passages.length)
  if (parts.length === 0 || text.trim().startsWith(unknownMarker))
    return {
      ...noAnswer,
      parts: [{ text: texts.unknown[language], source: null }],
      ways: links,
      outcome: 'unknown',
      byModel: true,
    }
  // Lists only the sources used, in order of use.
  const used = [...new Set(parts.map(({ source }) => source ?? 0))]
  const sources = used.flatMap((index) => passages[index]?.source ?? [])
  const usedIds = new Set(sources.map(({ kind, id }) => `${kind}:${id}`))
  return {
    ...noAnswer,
    parts: parts.map((part) => ({ ...part, source: used.indexOf(part.source ?? 0) })),
    sources,
    ways: [...used.flatMap((index) => passages[index]?.links ?? []), ...links]
      .filter(({ kind, id }) => !usedIds.has(`${kind}:${id}`))
      .slice(0, 4),
    outcome: 'answered',
    byModel: true,
  }
}
