import { get, Id, Nullable, post, type Static, T, Time } from '../define.ts'

/** A question of the knowledge base with its answer, as members read it. */
export const Question = T.Object(
  {
    id: Id,
    question: T.String(),
    questionEn: T.String({ description: 'empty: there is only `question`' }),
    answer: T.String({ description: 'plain text; an empty line begins a paragraph' }),
    answerEn: T.String(),
    url: T.String({ description: 'where it is done or read; empty: nowhere' }),
    departmentName: T.String({ description: 'who answers for it; empty: the institution' }),
    departmentNameEn: T.String(),
    updatedAt: Time,
    reviewedAt: Nullable(Time),
  },
  { $id: 'KnowledgeQuestion' },
)
export type Question = Static<typeof Question>

export const knowledge = {
  read: get('/portal-api/v1/knowledge/{id}', {
    summary: 'A question with its answer',
    access: 'guest',
    cached: ['knowledge'],
    params: T.Object({ id: Id }),
    reply: Question,
    errors: ['knowledge.not_found'],
  }),
  judge: post('/portal-api/v1/knowledge/{id}/judgement', {
    summary: 'Whether the answer helped; who said so is not kept',
    access: 'member',
    params: T.Object({ id: Id }),
    body: T.Object({ helpful: T.Boolean() }),
    reply: T.Null(),
    errors: ['knowledge.not_found'],
  }),
}
