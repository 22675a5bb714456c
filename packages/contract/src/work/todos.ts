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
  description: 'minutes before it is due; 0: at that moment',
})

export const TodoExecutor = T.Object({
  accountName: T.String(),
  name: T.String(),
  nameEn: T.String(),
  mayFinish: T.Boolean({ description: 'may finish it for everybody' }),
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
    own: T.Boolean({ description: 'false: somebody else’s, and the caller is to do it' }),
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
    version: T.Integer({ description: 'goes along with a change' }),
    dueLocal: T.String({ description: 'the due time by the clock of its zone; empty: none' }),
    timeZone: T.String(),
    stepList: T.Array(Step),
    reminders: T.Array(Reminder),
    executorList: T.Array(TodoExecutor),
    mayFinish: T.Boolean(),
    source: Nullable(
      T.Object({ title: T.String(), url: T.String({ description: 'a page of the portal' }) }),
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
    description: 'by the clock of `timeZone`; empty: none',
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
      "The member's own to-dos and those they are to do for others: open ones by hand, then by due date; finished ones newest first",
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
    summary: 'Make a to-do; the same key again makes none',
    access: 'member',
    body: T.Object({
      key: T.String({ minLength: 8, maxLength: 60, description: "the caller's own id of it" }),
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
    summary: 'One to-do',
    access: 'member',
    params,
    reply: TodoDetail,
    errors: ['todo.not_found'],
  }),
  update: put(`${base}/{id}`, {
    summary: 'Change a to-do of one’s own',
    access: 'member',
    params,
    body: T.Object({ version: T.Integer(), ...content }),
    reply: TodoDetail,
    errors: ['todo.not_found', 'todo.changed_meanwhile', 'todo.declined'],
  }),
  remove: del(`${base}/{id}`, {
    summary: 'Delete a to-do of one’s own, or leave one that somebody else gave',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['todo.not_found'],
  }),
  finish: post(`${base}/{id}/finish`, {
    summary:
      'Finish a to-do, or take that back; of somebody else’s, say that one has done one’s part. A repeating one comes back for its next time',
    access: 'member',
    params,
    body: T.Object({ finished: T.Boolean() }),
    reply: TodoDetail,
    errors: ['todo.not_found'],
  }),
  setStep: post(`${base}/{id}/steps`, {
    summary: 'Tick a step off, or take that back',
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
    summary: 'Put an open to-do before another one, or last',
    access: 'member',
    params,
    body: T.Object({ before: Nullable(Id) }),
    reply: T.Null(),
    errors: ['todo.not_found'],
  }),
  people: get(`${base}/executors/find`, {
    summary: 'Members by the beginning of a name or the whole username, ten at most',
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
