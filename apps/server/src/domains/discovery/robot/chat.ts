import type { ChatReply, Dialog, DialogLine } from '@atrium/contract/discovery/robot'
import type { Language } from '@atrium/contract/error-texts'
import { countUse } from '#domains/discovery/knowledge/queries.ts'
import { countSearch } from '#domains/discovery/search/statistics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { answerFromSearch, type RobotQuery } from './answer.ts'
import { deskSources } from './extensions.ts'
import { answerByModel, type EarlierLines } from './model-answer.ts'
import {
  type Answer,
  countLines,
  findDialog,
  insertDialog,
  insertLine,
  isAtDesk,
  listLastLines,
  lockDialog,
  maxDeskLines,
  maxLines,
  maxLinesPerMinute,
} from './queries.ts'
import type { AnswerSink } from './stream.ts'

const titleLength = 60

/**
 * Stores a member's line and answers it. At a service desk, people answer instead.
 * @throws robot.dialog_not_found, robot.dialog_full, request.too_many
 */
export async function chat(
  platform: Platform,
  viewer: Member,
  input: {
    text: string
    dialogId: string | undefined
    language: Language
    /** a model formulates the answer */
    byModel: boolean
  },
  sink: AnswerSink,
): Promise<ChatReply> {
  const { dialog, line, previous, earlier } = await storeQuestion(platform, viewer, input)
  sink.start({ dialog, question: line, answer: null })
  if (isAtDesk(dialog)) return { dialog, question: line, answer: null }
  const { text, language } = input
  const query = { question: text, previous, language }
  const answer = input.byModel
    ? await answerByModel(platform, viewer, query, earlier, sink)
    : await answerFromSearch(platform, viewer, query)
  if (!answer.byModel) for (const part of answer.parts) sink.part(part)
  const answerLine = await storeAnswer(platform, viewer, text, dialog, answer, language)
  return { dialog, question: line, answer: answerLine }
}

async function storeQuestion(
  platform: Platform,
  viewer: Member,
  { text, dialogId }: { text: string; dialogId: string | undefined },
): Promise<{
  dialog: Dialog
  line: DialogLine
  previous: RobotQuery['previous']
  earlier: EarlierLines
}> {
  const { accountId } = viewer
  return platform.db.transaction().execute(async (db) => {
    if (dialogId) await lockDialog(db, dialogId)
    const existing = dialogId
      ? ((await findDialog(db, accountId, dialogId)) ?? fail('robot.dialog_not_found'))
      : undefined
    const counts = await countLines(db, accountId, dialogId)
    if (counts.lately >= maxLinesPerMinute) fail('request.too_many', { retryAfter: 60 })
    if (counts.inDialog >= (existing && isAtDesk(existing) ? maxDeskLines : maxLines - 2))
      fail('robot.dialog_full')
    const dialog =
      existing ?? (await insertDialog(db, accountId, [...text].slice(0, titleLength).join('')))
    const lastLines = dialogId ? await listLastLines(db, dialog.id, 4) : []
    const previousQuestion = lastLines.findLast(({ author }) => author === 'member')?.text
    const sources = lastLines.findLast(({ author }) => author === 'robot')?.sources ?? []
    const previous =
      previousQuestion === undefined ? undefined : { question: previousQuestion, sources }
    const line = await insertLine(db, dialog.id, { author: 'member', text })
    if (isAtDesk(dialog)) for (const desk of deskSources.all()) await desk.written(db, dialog.id)
    const earlier = lastLines.flatMap(({ author, text }) =>
      author === 'member' || author === 'robot' ? [{ author, text }] : [],
    )
    return { dialog, line, previous, earlier }
  })
}

/** Stores an answer and counts it as answered or not found; operators see failures with those of the search. */
async function storeAnswer(
  platform: Platform,
  viewer: Member,
  question: string,
  dialog: Dialog,
  answer: Answer,
  language: Language,
) {
  const space = language === 'en' ? ' ' : ''
  const line = await platform.db.transaction().execute(async (db) => {
    for (const { kind, id } of answer.sources)
      if (kind === 'question') await countUse(db, id, 'asked')
    return insertLine(db, dialog.id, {
      author: 'robot',
      text: answer.parts.map(({ text }) => text).join(space),
      answer,
    })
  })
  if (answer.outcome === 'answered') await countSearch(platform, viewer, question, 'answered')
  if (answer.outcome === 'unknown') await countSearch(platform, viewer, question, 'notFound')
  return line
}
