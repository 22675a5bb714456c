import { get, Id, Nullable, OneOf, pageQuery, post, type Static, T, Time } from '../define.ts'
import { outcomeStatuses, TaskAction, taskStatuses } from './tasks.ts'

const text = (maxLength: number) => T.String({ minLength: 1, maxLength, pattern: '\\S' })
const key = T.String({ minLength: 1, maxLength: 100 })

/** Maximum tasks per call. */
export const maxTasks = 1000

/** A participant of a task: an account, a person of the directory, or just a name. */
const Part = {
  username: T.Optional(T.String({ maxLength: 128 })),
  number: T.Optional(T.String({ maxLength: 100, description: 'of a person in the directory' })),
  person: T.Optional(
    T.String({ maxLength: 60, description: 'their name as it is shown; without it their own' }),
  ),
}

export const SourceStep = T.Object(
  {
    key,
    ...Part,
    name: T.String({ maxLength: 60, default: '', description: 'what the step is called' }),
    kind: OneOf(['handle', 'circulate'], { default: 'handle' }),
    actions: T.Array(TaskAction, {
      maxItems: 8,
      default: [],
      description: 'what they may do while the step is open',
    }),
    dueAt: T.Optional(Nullable(Time)),
    createdAt: T.Optional(Time),
    doneAt: T.Optional(Nullable(Time)),
    action: T.String({ maxLength: 60, default: '', description: 'what was done' }),
    comment: T.String({ maxLength: 2000, default: '' }),
  },
  { $id: 'SourceStep' },
)
export type SourceStep = Static<typeof SourceStep>

/** The complete task as its source has it; every call sends all of it. */
export const SourceTask = T.Object(
  {
    key,
    version: T.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'rises with each change; an older one than is here changes nothing',
    }),
    title: text(200),
    titleEn: T.String({ maxLength: 200, default: '' }),
    note: T.String({ maxLength: 300, default: '' }),
    noteEn: T.String({ maxLength: 300, default: '' }),
    applicant: T.Object(Part, { default: {} }),
    status: OneOf(taskStatuses, { default: 'progress' }),
    urgent: T.Boolean({ default: false }),
    url: T.String({
      maxLength: 2000,
      default: '',
      pattern: '^(|/[^/\\\\].*|https://[^\\s]+)$',
      description: 'a page of the portal (`/pages/…`) or an https address',
    }),
    form: T.Array(T.Object({ label: text(60), value: T.String({ maxLength: 2000 }) }), {
      maxItems: 60,
      default: [],
    }),
    createdAt: T.Optional(Time),
    dueAt: T.Optional(Nullable(Time)),
    steps: T.Array(SourceStep, { maxItems: 200, default: [] }),
  },
  { $id: 'SourceTask' },
)
export type SourceTask = Static<typeof SourceTask>

export const putResults = ['created', 'changed', 'unchanged', 'stale', 'refused'] as const
export const PutResult = T.Object(
  {
    key: T.String(),
    result: OneOf(putResults),
    reason: T.String({ description: 'why it was refused, or empty' }),
    unknown: T.Array(T.String(), {
      description: 'people who have no open account here: their steps stand in the record alone',
    }),
  },
  { $id: 'PutResult' },
)
export type PutResult = Static<typeof PutResult>

const OutcomeFile = T.Object(
  {
    name: T.String(),
    mediaType: T.String(),
    size: T.Integer(),
    url: T.String({ description: 'where it can be fetched, for an hour' }),
  },
  { $id: 'OutcomeFile' },
)

/** Tasks that systems of the institution push for members. */
export const taskIntegration = {
  put: post('/transaction/api/v1/integration/tasks', {
    summary: 'Put tasks in as they stand now: new ones, changed ones, ended ones',
    access: 'integration',
    largest: 8_000_000,
    body: T.Object({ tasks: T.Array(SourceTask, { minItems: 1, maxItems: maxTasks }) }),
    reply: T.Array(PutResult),
    errors: ['request.invalid', 'task.source_unknown'],
  }),
  remove: post('/transaction/api/v1/integration/tasks/remove', {
    summary:
      'Take tasks out that should never have been there; ended ones are put with their status',
    access: 'integration',
    body: T.Object({ keys: T.Array(key, { minItems: 1, maxItems: maxTasks }) }),
    reply: T.Object({ removed: T.Integer() }),
    errors: ['request.invalid', 'task.source_unknown'],
  }),
  outcomes: get('/transaction/api/v1/integration/outcomes', {
    summary: 'What members did, first to last, for systems that cannot be called',
    access: 'integration',
    query: T.Object({
      after: T.Optional(
        T.String({ pattern: '^[0-9]{1,18}$', description: 'the id of the last one known' }),
      ),
      pageSize: pageQuery.pageSize,
    }),
    reply: T.Array(
      T.Object({
        id: Id,
        key: T.String({ description: 'as in calls to the callback' }),
        task: T.String({ description: "the source's own id" }),
        step: T.String(),
        username: T.String(),
        onBehalfOf: T.String({ description: 'who had asked them to act in their name, or empty' }),
        action: T.String({ description: 'the code of the action' }),
        comment: T.String(),
        form: T.Record(T.String(), T.String()),
        files: T.Record(T.String(), T.Array(OutcomeFile)),
        at: Time,
        status: OneOf(outcomeStatuses),
      }),
    ),
    errors: ['request.invalid', 'task.source_unknown'],
  }),
}
