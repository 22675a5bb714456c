import {
  CursorPage,
  cursorQuery,
  get,
  Id,
  Nullable,
  OneOf,
  type Static,
  T,
  Time,
} from '../define.ts'

export const taskLevels = ['myTodo', 'myDone', 'myRequest', 'myReaded', 'myDraft'] as const
export const taskStatuses = ['progress', 'finish', 'break', 'hang'] as const

export const TaskLine = T.Object(
  {
    id: Id,
    title: T.String(),
    source: T.String({ description: 'the system or department the task comes from' }),
    applicant: T.String(),
    status: OneOf(taskStatuses),
    urgent: T.Boolean(),
    note: T.String({ description: 'what is asked, in a line' }),
    createdAt: Time,
    dueAt: Nullable(Time),
    doneAt: Nullable(Time),
  },
  { $id: 'TaskLine' },
)
export type TaskLine = Static<typeof TaskLine>

export const Task = T.Interface(
  [TaskLine],
  {
    form: T.Array(T.Object({ label: T.String(), value: T.String() })),
    url: T.String({ description: 'where it is handled, or empty' }),
  },
  { $id: 'Task' },
)
export type Task = Static<typeof Task>

export const TaskRecord = T.Object(
  {
    id: Id,
    person: T.String(),
    step: T.String(),
    action: T.String({ description: 'empty while it waits' }),
    comment: T.String(),
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
  },
  { $id: 'TaskCounts' },
)

const params = T.Object({ id: Id })

export const tasks = {
  list: get('/transaction/api/v1/tasks', {
    summary: "The member's tasks of one level; to-dos by due date, the others newest first",
    access: 'member',
    query: T.Object({
      level: T.Optional(OneOf(taskLevels)),
      status: T.Optional(OneOf(taskStatuses)),
      circulate: T.Optional(OneOf(['toMe', 'Meto'])),
      keyWords: T.Optional(T.String({ maxLength: 60 })),
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
}
