import {
  CursorPage,
  cursorQuery,
  del,
  get,
  Id,
  Nullable,
  OneOf,
  post,
  put,
  type Static,
  T,
  Time,
  Username,
} from '../define.ts'

export const todoRepeats = ['none', 'daily', 'weekdays', 'weekly', 'monthly', 'yearly'] as const
/** Limits per to-do. */
export const maxTodoSteps = 100
export const maxTodoExecutors = 50
export const maxTodoReminders = 5

const Step = T.Object({
  text: T.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  done: T.Boolean(),
})
const Reminder = T.Integer({
  minimum: 0,
  maximum: 40_320,
  description: 'minutes before the due time; 0: at the due time',
})

export const TodoExecutor = T.Object({
  accountName: T.String(),
  name: T.String(),
  nameEn: T.String(),
  mayFinish: T.Boolean({ description: 'may complete it for everybody' }),
  doneAt: Nullable(Time),
})
export type TodoExecutor = Static<typeof TodoExecutor>

export const Todo = T.Object(
  {
    id: Id,
    title: T.String(),
    note: T.String(),
    dueAt: Nullable(Time),
    allDay: T.Boolean(),
    repeat: OneOf(todoRepeats),
    tags: T.Array(T.String()),
    steps: T.Integer(),
    stepsDone: T.Integer(),
    executors: T.Integer(),
    own: T.Boolean({ description: 'false: given to the caller by somebody else' }),
    owner: T.String(),
    ownerEn: T.String(),
    finishedAt: Nullable(Time),
    doneAt: Nullable(Time),
  },
  { $id: 'Todo' },
)
export type Todo = Static<typeof Todo>

export const TodoDetail = T.Interface(
  [Todo],
  {
    version: T.Integer({ description: 'to be returned with an update' }),
    dueLocal: T.String({ description: 'due time in `timeZone`; empty: none' }),
    timeZone: T.String(),
    stepList: T.Array(Step),
    reminders: T.Array(Reminder),
    executorList: T.Array(TodoExecutor),
    mayFinish: T.Boolean(),
    source: Nullable(
      T.Object({ title: T.String(), url: T.String({ description: 'path of the portal' }) }),
    ),
  },
  { $id: 'TodoDetail' },
)
export type TodoDetail = Static<typeof TodoDetail>

const content = {
  title: T.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  note: T.String({ maxLength: 5000 }),
  dueLocal: T.String({
    pattern: '^(|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d)$',
    description: 'due time in `timeZone`; empty: none',
  }),
  timeZone: T.String({ maxLength: 60 }),
  allDay: T.Boolean(),
  repeat: OneOf(todoRepeats),
  tags: T.Array(T.String({ minLength: 1, maxLength: 20, pattern: '\\S' }), {
    maxItems: 10,
    uniqueItems: true,
  }),
  reminders: T.Array(Reminder, { maxItems: maxTodoReminders, uniqueItems: true }),
  steps: T.Array(Step, { maxItems: maxTodoSteps }),
  executors: T.Array(T.Object({ accountName: Username, mayFinish: T.Boolean() }), {
    maxItems: maxTodoExecutors,
  }),
}
const params = T.Object({ id: Id })
const base = '/transaction/api/v1/personalTodos'

/** To-dos that members set for themselves or for others. */
export const todos = {
  list: get(base, {
    summary:
      "List the member's own and received to-dos: open ones in manual order, then by due date; completed ones newest first",
    access: 'member',
    query: T.Object({
      finished: T.Optional(T.Boolean()),
      tag: T.Optional(T.String({ maxLength: 20 })),
      keyWords: T.Optional(T.String({ maxLength: 60 })),
      dueFrom: T.Optional(Time),
      dueUntil: T.Optional(Time),
      ...cursorQuery,
    }),
    reply: CursorPage(Todo),
    errors: ['request.invalid'],
  }),
  create: post(base, {
    summary: 'Create a to-do; a repeated `key` creates nothing',
    access: 'member',
    body: T.Object({
      key: T.String({
        minLength: 8,
        maxLength: 60,
        description: 'idempotency key chosen by the client',
      }),
      ...content,
      source: T.Optional(
        T.Object({
          title: T.String({ maxLength: 200 }),
          url: T.String({ maxLength: 500, pattern: '^/[^/\\\\]' }),
        }),
      ),
    }),
    reply: TodoDetail,
    errors: ['todo.too_many', 'todo.declined'],
  }),
  read: get(`${base}/{id}`, {
    summary: 'Get a to-do',
    access: 'member',
    params,
    reply: TodoDetail,
    errors: ['todo.not_found'],
  }),
  update: put(`${base}/{id}`, {
    summary: "Update one of the caller's to-dos",
    access: 'member',
    params,
    body: T.Object({ version: T.Integer(), ...content }),
    reply: TodoDetail,
    errors: ['todo.not_found', 'todo.changed_meanwhile', 'todo.declined'],
  }),
  remove: del(`${base}/{id}`, {
    summary: "Delete one of the caller's to-dos, or leave one given by somebody else",
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['todo.not_found'],
  }),
  finish: post(`${base}/{id}/finish`, {
    summary:
      "Complete or reopen a to-do; for one given by somebody else, the caller's own part; a repeating one is scheduled again",
    access: 'member',
    params,
    body: T.Object({ finished: T.Boolean() }),
    reply: TodoDetail,
    errors: ['todo.not_found'],
  }),
  setStep: post(`${base}/{id}/steps`, {
    summary: 'Mark a step as done or not done',
    access: 'member',
    params,
    body: T.Object({
      index: T.Integer({ minimum: 0, maximum: maxTodoSteps - 1 }),
      done: T.Boolean(),
    }),
    reply: TodoDetail,
    errors: ['todo.not_found'],
  }),
  move: post(`${base}/{id}/move`, {
    summary: 'Move an open to-do before another one, or to the end',
    access: 'member',
    params,
    body: T.Object({ before: Nullable(Id) }),
    reply: T.Null(),
    errors: ['todo.not_found'],
  }),
  people: get(`${base}/executors/find`, {
    summary: 'Find members by the beginning of the name or the whole username; at most ten',
    access: 'member',
    query: T.Object({ keyWords: T.String({ minLength: 1, maxLength: 60 }) }),
    reply: T.Array(
      T.Object({
        accountName: T.String(),
        name: T.String(),
        nameEn: T.String(),
        organization: T.String(),
        organizationEn: T.String(),
      }),
    ),
    errors: ['request.too_many'],
  }),
}
