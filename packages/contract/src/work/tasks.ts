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
        description: 'of the kind `files`; 9 without it',
      }),
    ),
    accept: T.Optional(
      T.Array(T.String({ pattern: '^[a-z0-9]{1,8}$' }), {
        minItems: 1,
        maxItems: 20,
        description:
          'endings of names that the kind `files` takes: `pdf`; without it every one that may be uploaded',
      }),
    ),
    choices: T.Array(
      T.Object({
        value: text(60),
        text: text(60),
        textEn: T.String({ maxLength: 60, default: '' }),
      }),
      { maxItems: 50, default: [], description: 'of a field of the kind `choice`' },
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
    confirm: T.Optional(
      T.Boolean({ description: 'the member shows who they are again before it is done' }),
    ),
  },
  { $id: 'TaskAction' },
)
export type TaskAction = Static<typeof TaskAction>

export const outcomeStatuses = ['sending', 'accepted', 'refused'] as const
export const TaskOutcome = T.Object(
  {
    action: T.String({ description: 'as it was called when it was chosen' }),
    comment: T.String(),
    at: Time,
    // `sending`: stored here, the source has not answered yet
    status: OneOf(outcomeStatuses),
    reason: T.String({ description: 'why the source refused it' }),
  },
  { $id: 'TaskOutcome' },
)
export type TaskOutcome = Static<typeof TaskOutcome>

export const TaskLine = T.Object(
  {
    id: Id,
    title: T.String(),
    titleEn: T.String({ description: 'empty without English, as the other two' }),
    source: T.String({ description: 'the system or department the task comes from' }),
    sourceEn: T.String(),
    applicant: T.String(),
    status: OneOf(taskStatuses),
    urgent: T.Boolean(),
    note: T.String({ description: 'what is asked, in a line' }),
    noteEn: T.String(),
    createdAt: Time,
    dueAt: Nullable(Time),
    doneAt: Nullable(Time),
    actions: T.Array(TaskAction, { description: 'what the member may do about it here, now' }),
    // of the member's last action on the task
    outcome: Nullable(OneOf(outcomeStatuses)),
    onBehalfOf: T.String({ description: 'who has asked the member to handle it, or empty' }),
    isApplication: T.Boolean({ description: 'made in the portal itself' }),
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
    form: T.Array(TaskEntry),
    own: T.Boolean({ description: 'the member is who applied' }),
    url: T.String({ description: 'where it is handled, or empty' }),
    waits: T.Boolean({ description: 'for the member, in their to-dos or put off' }),
    unread: T.Boolean({ description: 'a copy the member has not read' }),
    lastOutcome: Nullable(TaskOutcome),
  },
  { $id: 'Task' },
)
export type Task = Static<typeof Task>

export const TaskRecord = T.Object(
  {
    id: Id,
    person: T.String(),
    by: T.String({ description: 'who acted in their name, or empty' }),
    step: T.String(),
    action: T.String({ description: 'empty while it waits' }),
    comment: T.String(),
    files: T.Array(AttachedFile, { description: 'given with the action' }),
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
    snoozed: T.Integer({ description: 'to-dos put off, which myTodo does not count' }),
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
    summary: "The member's tasks of one level; to-dos by due date, the others newest first",
    access: 'member',
    query: T.Object({
      level: T.Optional(OneOf(taskLevels)),
      status: T.Optional(OneOf(taskStatuses)),
      circulate: T.Optional(OneOf(['toMe', 'Meto'])),
      keyWords: T.Optional(T.String({ maxLength: 60 })),
      source: T.Optional(
        T.Array(T.String({ maxLength: 60 }), {
          maxItems: maxSources,
          description: 'as tasks name it; of any of several',
        }),
      ),
      urgent: T.Optional(T.Boolean({ description: 'true: only urgent ones' })),
      due: T.Optional(OneOf(['overdue', 'today'])),
      dueFrom: T.Optional(Time),
      dueUntil: T.Optional(Time),
      tagGroup: T.Optional(Id),
      snoozed: T.Optional(
        T.Boolean({ description: 'true: the to-dos put off, instead of the others' }),
      ),
      ...cursorQuery,
    }),
    reply: CursorPage(TaskLine),
    errors: ['request.invalid'],
  }),
  counts: get('/transaction/api/v1/tasks/counts', {
    summary: 'How many tasks each level holds; myReaded counts the unread ones',
    access: 'member',
    reply: TaskCounts,
  }),
  sources: get('/transaction/api/v1/tasks/sources', {
    summary: "Where the member's to-dos come from, and how many from each",
    access: 'member',
    reply: T.Array(SourceCount),
  }),
  read: get('/transaction/api/v1/tasks/{id}', {
    summary: 'One task',
    access: 'member',
    params,
    reply: Task,
    errors: ['task.not_found'],
  }),
  records: get('/transaction/api/v1/tasks/{id}/records', {
    summary: 'Who handled the task when',
    access: 'member',
    params,
    reply: T.Array(TaskRecord),
    errors: ['task.not_found'],
  }),
  handle: post('/transaction/api/v1/tasks/{id}/handle', {
    summary: 'Do one of the actions a task offers; `read` marks a copy as read',
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
          description: "the caller's own id: the same again does nothing and is answered alike",
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
    summary: 'Do the same action on several tasks; each has an outcome of its own',
    access: 'member',
    body: T.Object({
      ids: T.Array(Id, { minItems: 1, maxItems: maxBatch, uniqueItems: true }),
      action,
      comment,
    }),
    reply: T.Array(
      T.Object({
        id: Id,
        error: T.String({ description: 'the code of why it was not done, or empty' }),
        message: T.String({ description: 'the same in the language of the call' }),
      }),
    ),
    errors: ['request.invalid', 'session.confirmation_due'],
  }),
  snooze: post('/transaction/api/v1/tasks/{id}/snooze', {
    summary: 'Put a to-do off until a time, at most a year; null takes it back into the list',
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
    summary: 'How many to-dos of each system wait for the member',
    access: 'member',
    reply: T.Array(SourceCount),
  }),
  messages: get('/transaction/api/v1/thirdParty/messages', {
    summary: 'To-dos that other systems have put in, by due date',
    access: 'member',
    query: T.Object({
      source: T.Optional(T.String({ maxLength: 60, description: 'as unreadCounts names it' })),
      ...cursorQuery,
    }),
    reply: CursorPage(TaskLine),
    errors: ['request.invalid'],
  }),
}
