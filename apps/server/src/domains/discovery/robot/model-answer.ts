import type { DialogLine } from '@atrium/contract/discovery/robot'
import { type Ready, takeModel } from '#domains/discovery/assistant/assistant.ts'
import { askModel, ModelError } from '#domains/discovery/assistant/model-client.ts'
import { addTokens } from '#domains/discovery/assistant/queries.ts'
import { zoneOf } from '#domains/work/schedule/day-bounds.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { type Asked, answerFromSearch, findKnown, ownAnswer } from './answer.ts'
import { type Passage, readPassage } from './passages.ts'
import { citedParts, openStrainer, promptFor, unknownWord, withoutNames } from './prompt.ts'
import { type Answer, noAnswer } from './queries.ts'
import type { Teller } from './stream.ts'
import { texts } from './texts.ts'
import { readCalls, toolsFor } from './tools.ts'

/** Maximum sources sent to a model, and the minimum weight of a relevant one. */
const maxPassages = 6
const minWeight = 0.2
const maxTokens = 700

export type Earlier = readonly { author: 'member' | 'robot'; text: string }[]

/**
 * An answer formulated by a model from what the member may see. If there is no model, a limit is reached or the model
 * fails, falls back to the search answer, with the reason as notice.
 */
export async function answerByModel(
  platform: Platform,
  viewer: Member,
  asked: Asked,
  earlier: Earlier,
  teller: Teller,
): Promise<Answer> {
  const alone = async (notice: DialogLine['notice']): Promise<Answer> => ({
    ...(await answerFromSearch(platform, viewer, asked)),
    notice,
  })
  const ready = await takeModel(platform, viewer)
  if (ready === undefined) return alone(null)
  if (typeof ready === 'string') return alone(ready)
  const known = await passagesFor(platform, viewer, asked, ready)
  const tools = toolsFor(asked.question, ready.agreed)
  // Without sources or tools the model could not answer.
  if (known.passages.length === 0 && tools.length === 0) return alone(null)
  const timeZone = await zoneOf(platform, viewer)
  try {
    const { text, calls, tokens } = await askModel(
      ready.model,
      {
        maxTokens,
        tools,
        messages: promptFor({
          question: ready.agreed ? asked.question : withoutNames(asked.question, viewer),
          passages: known.passages,
          before: ready.agreed ? earlier : [],
          language: asked.language,
          now: `${Temporal.Now.plainDateTimeISO(timeZone).toString({ smallestUnit: 'minute' })} (${timeZone})`,
        }),
      },
      {
        allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
        signal: teller.signal,
        onText: openStrainer((piece) => teller.text(piece)),
      },
    )
    await addTokens(platform.db, viewer.accountId, ready.day, tokens)
    const allowed = calls.filter(({ name }) => tools.some((one) => one.function.name === name))
    const done = await readCalls(platform, viewer, allowed, { language: asked.language, timeZone })
    const worded = inWords(text, known, asked)
    return done ? together(done, worded) : worded
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    platform.log.warn({ err: error, fault: error.fault }, 'the model of the assistant failed')
    return alone(noticeOf[error.fault])
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

type Known = { passages: Passage[]; ways: Answer['ways'] }

async function passagesFor(
  platform: Platform,
  viewer: Member,
  { question, before, language }: Asked,
  { sends, agreed }: Ready,
): Promise<Known> {
  const { answer, found } = await findKnown(platform, viewer, question)
  const more =
    before && found.length < maxPassages
      ? (await findKnown(platform, viewer, `${before.question} ${question}`)).found
      : []
  const seen = new Set<string>()
  const wanted = [...found, ...more].filter(({ result: { kind, id }, weight }) => {
    const key = `${kind}:${id}`
    const isWanted = weight >= minWeight && sends.some((one) => one === kind) && !seen.has(key)
    seen.add(key)
    return isWanted
  })
  const passages = await Promise.all(
    wanted
      .slice(0, maxPassages)
      .map(({ result }) => readPassage(platform, viewer, result, language)),
  )
  // Opening hours are public; lessons, cards and people are personal and need the member's consent.
  const own = answer && (answer.kind === 'hours' ? sends.includes('place') : agreed)
  const first = own ? ownAnswer(answer, language) : undefined
  const told = first?.sources[0] && {
    source: first.sources[0],
    text: first.parts.map(({ text }) => text).join('\n'),
    ways: first.ways,
  }
  return {
    passages: [...(told ? [told] : []), ...passages.filter((one) => one !== undefined)],
    ways: found
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
const together = (done: Answer, worded: Answer): Answer =>
  worded.outcome === 'unknown'
    ? done
    : {
        ...done,
        sources: [...done.sources, ...worded.sources],
        parts: [
          ...done.parts,
          ...worded.parts.map((part) => ({
            ...part,
            source: part.source === null ? null : part.source + done.sources.length,
          })),
        ],
      }

/** The model's text, limited to sentences that cite the given sources. */
function inWords(text: string, { passages, ways }: Known, { language }: Asked): Answer {
  const parts = citedParts(text, passages.length)
  if (parts.length === 0 || text.trim().startsWith(unknownWord))
    return {
      ...noAnswer,
      parts: [{ text: texts.unknown[language], source: null }],
      ways,
      outcome: 'unknown',
      byModel: true,
    }
  // Lists only the sources used, in order of use.
  const used = [...new Set(parts.map(({ source }) => source ?? 0))]
  const sources = used.flatMap((at) => passages[at]?.source ?? [])
  const named = new Set(sources.map(({ kind, id }) => `${kind}:${id}`))
  return {
    ...noAnswer,
    parts: parts.map((part) => ({ ...part, source: used.indexOf(part.source ?? 0) })),
    sources,
    ways: [...used.flatMap((at) => passages[at]?.ways ?? []), ...ways]
      .filter(({ kind, id }) => !named.has(`${kind}:${id}`))
      .slice(0, 4),
    outcome: 'answered',
    byModel: true,
  }
}
