import { get, put, type Static, T } from '../define.ts'

/** What the assistant may do for the caller, and what is sent to its model. */
export const AssistantStatus = T.Object(
  {
    enabled: T.Boolean(),
    model: T.String({ description: 'name of the model; empty: none' }),
    host: T.String({ description: 'where the model runs, as shown to members' }),
    left: T.Integer({ description: 'questions left today' }),
    agreed: T.Boolean({
      description:
        "earlier messages of the dialog and the caller's own data may be sent; otherwise neither is, and names and numbers in a question are masked",
    }),
  },
  { $id: 'AssistantStatus' },
)
export type AssistantStatus = Static<typeof AssistantStatus>

export const assistant = {
  status: get('/robot/assistant', {
    summary: 'Get whether a model answers, and what is sent to it',
    access: 'member',
    reply: AssistantStatus,
  }),
  consent: put('/robot/assistant/consent', {
    summary: "Allow or forbid sending the caller's own data and earlier messages to the model",
    access: 'member',
    body: T.Object({ agreed: T.Boolean() }),
    reply: AssistantStatus,
  }),
}
