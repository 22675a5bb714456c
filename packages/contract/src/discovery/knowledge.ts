import { get, Id, Nullable, post, type Static, T, Time } from '../define.ts'

/** A question of the knowledge base with its answer, as members read it. */
export const Question = T.Object(
  {
    id: Id,
    question: T.String(),
    questionEn: T.String({ description: 'empty: only `question` exists' }),
    answer: T.String({ description: 'plain text; paragraphs are separated by an empty line' }),
    answerEn: T.String(),
    url: T.String({ description: 'address for further reading or action; or empty' }),
    departmentName: T.String({ description: 'responsible department; empty: the institution' }),
    departmentNameEn: T.String(),
    updatedAt: Time,
    reviewedAt: Nullable(Time),
  },
  { $id: 'KnowledgeQuestion' },
)
export type Question = Static<typeof Question>

export const knowledge = {
  read: get('/portal-api/v1/knowledge/{id}', {
    summary: 'Get a question with its answer',
    access: 'guest',
    cached: ['knowledge'],
    params: T.Object({ id: Id }),
    reply: Question,
    errors: ['knowledge.not_found'],
  }),
  judge: post('/portal-api/v1/knowledge/{id}/judgement', {
    summary: 'Rate whether an answer helped; the rating is stored anonymously',
    access: 'member',
    params: T.Object({ id: Id }),
    body: T.Object({ helpful: T.Boolean() }),
    reply: T.Null(),
    errors: ['knowledge.not_found'],
  }),
}
