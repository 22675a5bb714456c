import { get, put, type Static, T } from '../define.ts'

/** Minutes before the due time at which a reminder can be sent; 0: no reminder. */
export const remindBefore = [0, 60, 180, 1440, 4320] as const

export const OverdueSettings = T.Object(
  {
    beforeMinutes: T.Unsafe<(typeof remindBefore)[number]>({
      type: 'integer',
      enum: [...remindBefore],
      description: 'minutes before a to-do is due; 0: no reminder',
    }),
    overdue: T.Boolean({ description: 'also remind when it becomes overdue' }),
  },
  { $id: 'OverdueSettings' },
)
export type OverdueSettings = Static<typeof OverdueSettings>

export const maxPhrases = 20

/** Reminders of to-dos, and phrases the member often uses. */
export const taskSettings = {
  overdue: get('/transaction/api/v1/overdueSettings', {
    summary: 'Get when the member is reminded of to-dos',
    access: 'member',
    reply: OverdueSettings,
  }),
  setOverdue: put('/transaction/api/v1/overdueSettings', {
    summary: 'Set when the member is reminded of to-dos',
    access: 'member',
    body: OverdueSettings,
    reply: OverdueSettings,
    errors: ['request.invalid'],
  }),
  global: get('/transaction/api/v1/globalSettings', {
    summary: 'Get the limits and defaults of tasks',
    access: 'member',
    reply: T.Object({
      maxBatch: T.Integer({ description: 'maximum number of tasks handled at once' }),
      maxGroups: T.Integer(),
      maxSnoozeDays: T.Integer(),
      overdue: OverdueSettings,
    }),
  }),
  phrases: get('/transaction/api/v1/phrases', {
    summary: "List the member's phrases for handling tasks, in their order",
    access: 'member',
    reply: T.Array(T.String()),
  }),
  setPhrases: put('/transaction/api/v1/phrases', {
    summary: "Set the member's phrases for handling tasks",
    access: 'member',
    body: T.Object({
      phrases: T.Array(T.String({ minLength: 1, maxLength: 100, pattern: '\\S' }), {
        maxItems: maxPhrases,
        uniqueItems: true,
      }),
    }),
    reply: T.Array(T.String()),
    errors: ['request.invalid'],
  }),
}
