import { get, put, type Static, T } from '../define.ts'

/** What the assistant may do for the caller, and what is sent to its model. */
export const AssistantStatus = T.Object(
  {
    enabled: T.Boolean(),
    model: T.String({ description: 'the model’s name; empty: there is none' }),
    host: T.String({ description: 'where it runs, as members may know it' }),
    left: T.Integer({ description: 'questions that are left today' }),
    agreed: T.Boolean({
      description:
        'what was said before and the caller’s own data may be sent; otherwise neither, and names and numbers in a question are blanked out',
    }),
  },
  { $id: 'AssistantStatus' },
)
export type AssistantStatus = Static<typeof AssistantStatus>

export const assistant = {
  status: get('/robot/assistant', {
    summary: 'Whether a model answers, and what it is told',
    access: 'member',
    reply: AssistantStatus,
  }),
  consent: put('/robot/assistant/consent', {
    summary: 'Whether own data and what was said before may be sent to the model',
    access: 'member',
    body: T.Object({ agreed: T.Boolean() }),
    reply: AssistantStatus,
  }),
}
