import {
  CursorPage,
  cursorQuery,
  get,
  Id,
  Nullable,
  OneOf,
  post,
  type Static,
  T,
  Time,
} from '../define.ts'

export const taskLevels = ['myTodo', 'myDone', 'myRequest', 'myReaded', 'myDraft'] as const
export const taskStatuses = ['progress', 'finish', 'break', 'hang'] as const

export const actionTones = ['primary', 'plain', 'danger'] as const
const text = (maxLength: number) => T.String({ minLength: 1, maxLength, pattern: '\\S' })

/** Maximum files per field, and per action in total. */
export const maxFiles = 9
export const maxFilesOfAction = 20

/** A form field of an action. */
export const TaskField = T.Object(
  {
    name: T.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,59}$' }),
    label: text(60),
    labelEn: T.String({ maxLength: 60, default: '' }),
    kind: OneOf(['text', 'number', 'date', 'choice', 'person', 'files']),
    required: T.Boolean({ default: false }),
    most: T.Optional(
      T.Integer({
        minimum: 1,
        maximum: maxFiles,
        description: 'maximum number of files for `files`; default 9',
      }),
    ),
    accept: T.Optional(
      T.Array(T.String({ pattern: '^[a-z0-9]{1,8}$' }), {
        minItems: 1,
        maxItems: 20,
        description:
          'allowed file extensions for `files`, such as `pdf`; absent: all that can be uploaded',
      }),
    ),
    choices: T.Array(
      T.Object({
        value: text(60),
        text: text(60),
        textEn: T.String({ maxLength: 60, default: '' }),
      }),
      { maxItems: 50, default: [], description: 'for `choice`' },
    ),
  },
  { $id: 'TaskField' },
)
export type TaskField = Static<typeof TaskField>

/** An action available on a task. */
export const TaskAction = T.Object(
  {
    code: T.String({ pattern: '^[a-z][a-z0-9-]{0,59}$' }),
    text: text(20),
    textEn: T.String({ maxLength: 30, default: '' }),
    tone: OneOf(actionTones, { default: 'plain' }),
    comment: OneOf(['none', 'optional', 'required'], { default: 'optional' }),
    fields: T.Array(TaskField, { maxItems: 20, default: [] }),
    confirm: T.Optional(T.Boolean({ description: 'the member must confirm their identity again' })),
  },
  { $id: 'TaskAction' },
)
export type TaskAction = Static<typeof TaskAction>

export const outcomeStatuses = ['sending', 'accepted', 'refused'] as const
export const TaskOutcome = T.Object(
  {
    action: T.String({ description: 'label of the action when it was chosen' }),
    comment: T.String(),
    at: Time,
    // `sending`: stored here, the source has not answered yet
    status: OneOf(outcomeStatuses),
    reason: T.String({ description: 'reason of a refusal by the source' }),
  },
  { $id: 'TaskOutcome' },
)
export type TaskOutcome = Static<typeof TaskOutcome>

export const TaskLine = T.Object(
  {
    id: Id,
    title: T.String(),
    titleEn: T.String({
      description: 'empty if there is no English text, like `sourceEn` and `noteEn`',
    }),
    source: T.String({ description: 'system or department the task comes from' }),
    sourceEn: T.String(),
    applicant: T.String(),
    status: OneOf(taskStatuses),
    urgent: T.Boolean(),
    note: T.String({ description: 'the request in one line' }),
    noteEn: T.String(),
    createdAt: Time,
    dueAt: Nullable(Time),
    doneAt: Nullable(Time),
    actions: T.Array(TaskAction, { description: 'actions available to the member now' }),
    // of the member's last action on the task
    outcome: Nullable(OneOf(outcomeStatuses)),
    onBehalfOf: T.String({ description: 'person on whose behalf the member handles it, or empty' }),
    onBehalfOfEn: T.String(),
    isApplication: T.Boolean({ description: 'submitted in the portal itself' }),
    snoozedUntil: Nullable(Time),
    tagGroup: Nullable(Id),
  },
  { $id: 'TaskLine' },
)
export type TaskLine = Static<typeof TaskLine>

const AttachedFile = T.Object(
  { name: T.String(), url: T.String(), mediaType: T.String(), size: T.Integer() },
  { $id: 'AttachedFile' },
)

/** A submitted form field, formatted for reading. */
export const TaskEntry = T.Object(
  {
    label: T.String(),
    labelEn: T.String(),
    value: T.String(),
    valueEn: T.String(),
    files: T.Array(AttachedFile),
    table: Nullable(
      T.Object({
        columns: T.Array(T.Object({ title: T.String(), titleEn: T.String() })),
        rows: T.Array(T.Array(T.String())),
      }),
    ),
  },
  { $id: 'TaskEntry' },
)
export type TaskEntry = Static<typeof TaskEntry>

export const Task = T.Interface(
  [TaskLine],
  {
    applicantEn: T.String(),
    form: T.Array(TaskEntry),
    own: T.Boolean({ description: 'the member is the applicant' }),
    url: T.String({ description: 'address where it is handled, or empty' }),
    waits: T.Boolean({ description: 'pending for the member, possibly snoozed' }),
    unread: T.Boolean({ description: 'an unread copy' }),
    lastOutcome: Nullable(TaskOutcome),
  },
  { $id: 'Task' },
)
export type Task = Static<typeof Task>

export const TaskRecord = T.Object(
  {
    id: Id,
    person: T.String(),
    personEn: T.String({ description: 'empty if there is no English text, like the other …En' }),
    by: T.String({ description: 'person who acted on their behalf, or empty' }),
    byEn: T.String(),
    step: T.String(),
    stepEn: T.String(),
    action: T.String({ description: 'empty while pending' }),
    actionEn: T.String(),
    tone: Nullable(
      OneOf(actionTones, { description: 'of the action; null if pending or unknown' }),
    ),
    comment: T.String(),
    files: T.Array(AttachedFile, { description: 'files submitted with the action' }),
    since: Time,
    at: Nullable(Time),
  },
  { $id: 'TaskRecord' },
)

export const TaskCounts = T.Object(
  {
    myTodo: T.Integer(),
    myDone: T.Integer(),
    myRequest: T.Integer(),
    myReaded: T.Integer(),
    myDraft: T.Integer(),
    snoozed: T.Integer({ description: 'snoozed to-dos, not included in myTodo' }),
  },
  { $id: 'TaskCounts' },
)

export const SourceCount = T.Object(
  { source: T.String(), count: T.Integer() },
  { $id: 'SourceCount' },
)

const params = T.Object({ id: Id })
export const maxBatch = 200
/** Maximum sources in one list filter. */
export const maxSources = 50
export const maxSnoozeDays = 366
const comment = T.String({ maxLength: 500, default: '' })
const action = T.String({ minLength: 1, maxLength: 60 })

export const tasks = {
  list: get('/transaction/api/v1/tasks', {
    summary: "List the member's tasks of one level: to-dos by due date, others newest first",
    access: 'member',
    query: T.Object({
      level: T.Optional(OneOf(taskLevels)),
      status: T.Optional(OneOf(taskStatuses)),
      circulate: T.Optional(OneOf(['toMe', 'Meto'])),
      keyWords: T.Optional(T.String({ maxLength: 60 })),
      source: T.Optional(
        T.Array(T.String({ maxLength: 60 }), {
          maxItems: maxSources,
          description: 'name as in `source` of tasks; several match any',
        }),
      ),
      urgent: T.Optional(T.Boolean({ description: 'true: only urgent tasks' })),
      due: T.Optional(OneOf(['overdue', 'today'])),
      dueFrom: T.Optional(Time),
      dueUntil: T.Optional(Time),
      tagGroup: T.Optional(Id),
      snoozed: T.Optional(
        T.Boolean({ description: 'true: only snoozed to-dos; otherwise they are left out' }),
      ),
      ...cursorQuery,
    }),
    reply: CursorPage(TaskLine),
    errors: ['request.invalid'],
  }),
  counts: get('/transaction/api/v1/tasks/counts', {
    summary: "Count the member's tasks by level; myReaded counts unread ones",
    access: 'member',
    reply: TaskCounts,
  }),
  sources: get('/transaction/api/v1/tasks/sources', {
    summary: "List the sources of the member's to-dos with their counts",
    access: 'member',
    reply: T.Array(SourceCount),
  }),
  read: get('/transaction/api/v1/tasks/{id}', {
    summary: 'Get a task',
    access: 'member',
    params,
    reply: Task,
    errors: ['task.not_found'],
  }),
  records: get('/transaction/api/v1/tasks/{id}/records', {
    summary: 'Get the history of a task',
    access: 'member',
    params,
    reply: T.Array(TaskRecord),
    errors: ['task.not_found'],
  }),
  handle: post('/transaction/api/v1/tasks/{id}/handle', {
    summary: 'Perform an action on a task; `read` marks a copy as read',
    access: 'member',
    params,
    body: T.Object({
      action,
      comment,
      form: T.Optional(T.Record(T.String({ maxLength: 60 }), T.String({ maxLength: 2000 }))),
      files: T.Optional(
        T.Record(
          T.String({ maxLength: 60 }),
          T.Array(Id, { maxItems: maxFiles, uniqueItems: true }),
          {
            description: 'ids of uploaded files, by field',
          },
        ),
      ),
      key: T.Optional(
        T.String({
          minLength: 8,
          maxLength: 60,
          description:
            'idempotency key chosen by the client; a repeated request does nothing and returns the same result',
        }),
      ),
    }),
    reply: Task,
    errors: [
      'task.not_found',
      'task.handled',
      'task.action_unknown',
      'request.invalid',
      'session.confirmation_due',
      'file.held',
    ],
  }),
  batchHandle: post('/transaction/api/v1/tasks/batchHandle', {
    summary: 'Perform an action on several tasks; the result is reported for each',
    access: 'member',
    body: T.Object({
      ids: T.Array(Id, { minItems: 1, maxItems: maxBatch, uniqueItems: true }),
      action,
      comment,
    }),
    reply: T.Array(
      T.Object({
        id: Id,
        error: T.String({ description: 'error code, or empty' }),
        message: T.String({ description: "error text in the caller's language, or empty" }),
      }),
    ),
    errors: ['request.invalid', 'session.confirmation_due'],
  }),
  snooze: post('/transaction/api/v1/tasks/{id}/snooze', {
    summary: 'Snooze a to-do until a time at most a year ahead; null: unsnooze it',
    access: 'member',
    params,
    body: T.Object({ until: Nullable(Time) }),
    reply: Task,
    errors: ['task.not_found', 'task.handled', 'request.invalid'],
  }),
}

/** Pending to-dos of the member, by source system. */
export const thirdParty = {
  unreadCounts: get('/transaction/api/v1/thirdParty/unreadCounts', {
    summary: 'List the numbers of pending to-dos by source system',
    access: 'member',
    reply: T.Array(SourceCount),
  }),
  messages: get('/transaction/api/v1/thirdParty/messages', {
    summary: 'List the to-dos from other systems, by due date',
    access: 'member',
    query: T.Object({
      source: T.Optional(T.String({ maxLength: 60, description: 'name as in unreadCounts' })),
      ...cursorQuery,
    }),
    reply: CursorPage(TaskLine),
    errors: ['request.invalid'],
  }),
}
