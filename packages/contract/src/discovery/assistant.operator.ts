import { get, Nullable, OneOf, post, put, Secret, type Static, T } from '../define.ts'

/** Kinds of portal content that may be sent to a model, limited to what the asking member may see. */
export const sendable = ['question', 'guide', 'service', 'place', 'news'] as const

const fields = {
  address: T.String({
    maxLength: 300,
    description: 'base address of the OpenAI-compatible API, such as https://models.example.edu/v1',
  }),
  model: T.String({ maxLength: 100, description: 'name of the model in that API' }),
  enabled: T.Boolean(),
  sends: T.Array(OneOf(sendable), {
    maxItems: 5,
    description: 'kinds of content that may be sent to the model',
  }),
  dailyPerMember: T.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'maximum questions per member and day',
  }),
  dailyTokens: T.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'maximum tokens of all members together per day',
  }),
  seconds: T.Integer({
    minimum: 2,
    maximum: 120,
    description:
      'timeout in seconds for the first word and between words; after it, the portal answers without the model',
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
    reason: Nullable(T.String({ description: 'error in one sentence; null if it works' })),
    firstWordMs: Nullable(T.Integer()),
  },
  { $id: 'AssistantTrial' },
)

const operator = { access: 'operator', permission: 'system' } as const

export const assistantConsole = {
  read: get('/console-api/v1/assistant', {
    ...operator,
    summary: "Get the settings of the assistant's model",
    reply: AssistantModel,
  }),
  update: put('/console-api/v1/assistant', {
    ...operator,
    summary:
      "Update the settings of the assistant's model; an omitted key is kept for the same host",
    body: T.Object({
      ...fields,
      key: T.Optional(Secret({ maxLength: 1000 })),
    }),
    reply: AssistantModel,
  }),
  test: post('/console-api/v1/assistant/test', {
    ...operator,
    summary: 'Test the model by requesting one word',
    body: T.Object({}),
    reply: AssistantTrial,
  }),
}
