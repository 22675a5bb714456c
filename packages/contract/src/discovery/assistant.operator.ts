import { get, Nullable, OneOf, post, put, Secret, type Static, T } from '../define.ts'

/** Kinds of portal content that may be sent to a model, limited to what the asking member may see. */
export const sendable = ['question', 'guide', 'service', 'place', 'news'] as const

const fields = {
  address: T.String({
    maxLength: 300,
    description: 'of the OpenAI-compatible API, such as https://models.example.edu/v1',
  }),
  model: T.String({ maxLength: 100, description: 'its name there' }),
  enabled: T.Boolean(),
  sends: T.Array(OneOf(sendable), { maxItems: 5, description: 'what it may be sent' }),
  dailyPerMember: T.Integer({ minimum: 0, maximum: 10_000, description: 'questions a day' }),
  dailyTokens: T.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'of all members together in a day',
  }),
  seconds: T.Integer({
    minimum: 2,
    maximum: 120,
    description: 'until its first word, and between words; then the portal answers by itself',
  }),
}
export const AssistantModel = T.Object(
  {
    ...fields,
    hasKey: T.Boolean(),
    questionsToday: T.Integer(),
    tokensToday: T.Integer(),
  },
  { $id: 'AssistantModel' },
)
export type AssistantModel = Static<typeof AssistantModel>

export const AssistantTrial = T.Object(
  {
    works: T.Boolean(),
    reason: Nullable(T.String({ description: 'why not, in a sentence' })),
    firstWordMs: Nullable(T.Integer()),
  },
  { $id: 'AssistantTrial' },
)

const operator = { access: 'operator', permission: 'system' } as const

export const assistantConsole = {
  read: get('/console-api/v1/assistant', {
    ...operator,
    summary: 'The model that the assistant stands on',
    reply: AssistantModel,
  }),
  update: put('/console-api/v1/assistant', {
    ...operator,
    summary: 'The model as it is to be from now on; a key that is left out stays',
    body: T.Object({
      ...fields,
      key: T.Optional(Secret({ maxLength: 1000 })),
    }),
    reply: AssistantModel,
  }),
  test: post('/console-api/v1/assistant/test', {
    ...operator,
    summary: 'Asks the model for one word',
    body: T.Object({}),
    reply: AssistantTrial,
  }),
}
