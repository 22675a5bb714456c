import {
  type AnswerSource,
  type Entry,
  emptyAnswer,
  type Searchable,
} from '#platform/search-source.ts'

/** Minimum fit for an answer. */
const minFit = 0.5
/** Maximum characters of an answer in a result line, and above the results. */
const lineLength = 200
const answerLength = 600

const questionAddress = (id: string) => `/pages/robot/question?${new URLSearchParams({ id })}`

/** Shortens a text, at the end of a sentence if possible. */
function truncate(text: string, maxLength: number) {
  const characters = [...text]
  if (characters.length <= maxLength) return text
  const part = characters.slice(0, maxLength).join('')
  const end = Math.max(
    ...['。', '！', '？', '. ', '! ', '? ', '\n'].map((mark) => part.lastIndexOf(mark)),
  )
  return end > maxLength / 2 ? part.slice(0, end + 1).trim() : `${part.slice(0, -1)}…`
}
const oneLine = (text: string) => truncate(text.replaceAll(/\s+/g, ' '), lineLength)

/** Answers questions that match one of the knowledge base. */
const questionAnswer: AnswerSource = async ({ db }, _viewer, { text }, best) => {
  const match = await best('question', text)
  if (!match || match.fit < minFit) return undefined
  const row = await db
    .selectFrom('knowledge_question')
    .select(['question', 'question_en', 'answer', 'answer_en', 'url'])
    .where('id', '=', match.entry.id)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    ...emptyAnswer,
    kind: 'question',
    title: row.question,
    titleEn: row.question_en,
    text: truncate(row.answer, answerLength),
    textEn: truncate(row.answer_en, answerLength),
    ways: [
      ...(row.url ? [{ name: '去办理', nameEn: 'Go there', to: row.url, serviceId: null }] : []),
      {
        name: '查看全文',
        nameEn: 'Read the full text',
        to: questionAddress(match.entry.id),
        serviceId: null,
      },
    ],
  }
}

export const knowledgeSearch: Searchable = {
  entries: [
    {
      kind: 'question',
      topics: ['knowledge'],
      async entries({ db }) {
        const rows = await db
          .selectFrom('knowledge_question as question')
          .select([
            'question.id',
            'question.question',
            'question.question_en',
            'question.answer',
            'question.answer_en',
            'question.wordings',
            'question.audience_id',
            'question.valid_from',
            'question.valid_until',
          ])
          .where('question.online', '=', true)
          .execute()
        return rows.map(
          (row): Entry => ({
            id: row.id,
            title: row.question,
            titleEn: row.question_en,
            text: oneLine(row.answer),
            textEn: oneLine(row.answer_en),
            words: row.wordings,
            to: questionAddress(row.id),
            shownTo: { audienceId: row.audience_id },
            from: row.valid_from && new Date(row.valid_from).toISOString(),
            until: row.valid_until && new Date(row.valid_until).toISOString(),
          }),
        )
      },
    },
  ],
  answers: [questionAnswer],
}
