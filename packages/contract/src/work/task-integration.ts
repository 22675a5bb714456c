import { get, Id, Nullable, OneOf, pageQuery, post, type Static, T, Time } from '../define.ts'
import { actionTones, outcomeStatuses, TaskAction, taskStatuses } from './tasks.ts'

const text = (maxLength: number) => T.String({ minLength: 1, maxLength, pattern: '\\S' })
const key = T.String({ minLength: 1, maxLength: 100 })

/** Maximum tasks per call. */
export const maxTasks = 1000

/** A participant of a task: an account, a person of the directory, or just a name. */
const Part = {
  username: T.Optional(T.String({ maxLength: 128 })),
  number: T.Optional(
    T.String({
      maxLength: 100,
      description: 'student or staff number of a person in the directory',
    }),
  ),
  person: T.Optional(
    T.String({ maxLength: 60, description: "displayed name; default: the person's own" }),
  ),
}

export const SourceStep = T.Object(
  {
    key,
    ...Part,
    name: T.String({ maxLength: 60, default: '', description: 'name of the step' }),
    nameEn: T.String({ maxLength: 60, default: '' }),
    kind: OneOf(['handle', 'circulate'], { default: 'handle' }),
    actions: T.Array(TaskAction, {
      maxItems: 8,
      default: [],
      description: 'actions available while the step is open',
    }),
    dueAt: T.Optional(Nullable(Time)),
    createdAt: T.Optional(Time),
    doneAt: T.Optional(Nullable(Time)),
    action: T.String({ maxLength: 60, default: '', description: 'action that was taken' }),
    actionEn: T.String({ maxLength: 60, default: '' }),
    tone: T.Optional(
      Nullable(
        OneOf(actionTones, { description: 'of the action that was taken: shown as its mark' }),
      ),
    ),
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
      description: 'increases with each change; lower versions than the stored one are ignored',
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
      description: 'path of the portal (`/pages/…`) or an https address',
    }),
    form: T.Array(
      T.Object({
        label: text(60),
        labelEn: T.Optional(T.String({ maxLength: 60 })),
        value: T.String({ maxLength: 2000 }),
        valueEn: T.Optional(T.String({ maxLength: 2000 })),
      }),
      { maxItems: 60, default: [] },
    ),
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
    reason: T.String({ description: 'reason of a refusal, or empty' }),
    unknown: T.Array(T.String(), {
      description:
        "people without an active account here; their steps appear only in the task's history",
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
    url: T.String({ description: 'download address, valid for one hour' }),
  },
  { $id: 'OutcomeFile' },
)

/** Tasks that systems of the institution push for members. */
export const taskIntegration = {
  put: post('/transaction/api/v1/integration/tasks', {
    summary: 'Create, update and end tasks by sending their current state',
    access: 'integration',
    largest: 8_000_000,
    body: T.Object({ tasks: T.Array(SourceTask, { minItems: 1, maxItems: maxTasks }) }),
    reply: T.Array(PutResult),
    errors: ['request.invalid', 'task.source_unknown'],
  }),
  remove: post('/transaction/api/v1/integration/tasks/remove', {
    summary:
      'Delete tasks that were sent by mistake; completed ones are sent with their status instead',
    access: 'integration',
    body: T.Object({ keys: T.Array(key, { minItems: 1, maxItems: maxTasks }) }),
    reply: T.Object({ removed: T.Integer() }),
    errors: ['request.invalid', 'task.source_unknown'],
  }),
  outcomes: get('/transaction/api/v1/integration/outcomes', {
    summary: "List members' actions, oldest first, for systems that cannot receive callbacks",
    access: 'integration',
    query: T.Object({
      after: T.Optional(
        T.String({ pattern: '^[0-9]{1,18}$', description: 'id of the last known action' }),
      ),
      pageSize: pageQuery.pageSize,
    }),
    reply: T.Array(
      T.Object({
        id: Id,
        key: T.String({ description: 'idempotency key, as in callbacks' }),
        task: T.String({ description: "the source's id of the task" }),
        step: T.String(),
        username: T.String(),
        onBehalfOf: T.String({
          description: 'username of the person on whose behalf the member acted, or empty',
        }),
        action: T.String({ description: 'code of the action' }),
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
