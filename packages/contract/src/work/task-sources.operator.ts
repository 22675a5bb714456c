import { del, get, Nullable, post, put, Secret, type Static, T, Time } from '../define.ts'
import { TaskConnector, TaskTrial } from './task-connector.ts'

const code = T.String({ pattern: '^[a-z0-9][a-z0-9-]{0,59}$' })
const address = (description: string) =>
  T.String({ maxLength: 500, default: '', pattern: '^(|https?://[^\\s]+)$', description })

const fields = {
  name: T.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  nameEn: T.String({ maxLength: 60, default: '' }),
  system: T.String({
    maxLength: 60,
    default: '',
    description: 'code of the system in the registry; empty: it cannot push tasks',
  }),
  callbackUrl: address("address notified of members' actions; empty: the system fetches them"),
  listUrl: address('address that lists the open tasks of the system; empty: no comparison'),
  secret: T.Optional(Secret({ minLength: 24, maxLength: 200 })),
}

export const TaskSource = T.Object(
  {
    code: T.String(),
    ...fields,
    secret: T.Optional(T.Never()),
    open: T.Integer({ description: 'number of open tasks' }),
    putAt: Nullable(Time),
    waiting: T.Integer({ description: 'number of actions not reported to it yet' }),
    waitingSince: Nullable(Time),
    comparedAt: Nullable(Time),
    everyMinutes: T.Integer({ description: 'minutes between comparisons with its list; 0: never' }),
    connected: T.Boolean({ description: 'polled with a connector' }),
    compareError: T.String({ description: 'error of the last comparison, or empty' }),
    failures: T.Integer({ description: 'consecutive failed comparisons' }),
    compared: Nullable(
      T.Object({
        listed: T.Integer(),
        created: T.Integer(),
        changed: T.Integer(),
        ended: T.Integer({ description: 'open here but not listed by the system' }),
        unread: T.Integer({ description: 'listed but unreadable; left unchanged' }),
      }),
    ),
    mended: T.Integer({ description: 'total number of tasks corrected by comparisons' }),
  },
  { $id: 'TaskSource' },
)
export type TaskSource = Static<typeof TaskSource>

const params = T.Object({ code })
const connectorSecret = T.Optional(Secret({ minLength: 1, maxLength: 2000 }))

/** Systems that provide tasks, for operators. */
export const taskSources = {
  list: get('/console-api/v1/task-sources', {
    summary: 'List the systems that provide tasks, with their state',
    access: 'operator',
    permission: 'messages',
    reply: T.Array(TaskSource),
  }),
  create: post('/console-api/v1/task-sources', {
    summary: 'Register a system that pushes tasks or is polled for them',
    access: 'operator',
    permission: 'messages',
    body: T.Object({ code, ...fields }),
    reply: TaskSource,
    errors: ['request.invalid', 'task.source_known'],
  }),
  update: put('/console-api/v1/task-sources/{code}', {
    summary: 'Update a system that provides tasks; an omitted secret is kept',
    access: 'operator',
    permission: 'messages',
    params,
    body: T.Object(fields),
    reply: TaskSource,
    errors: ['request.invalid', 'task.source_unknown', 'task.source_known'],
  }),
  compare: post('/console-api/v1/task-sources/{code}/compare', {
    summary: "Compare the open tasks with the system's list now, and correct them",
    access: 'operator',
    permission: 'messages',
    params,
    reply: TaskSource,
    errors: ['task.source_unknown', 'task.source_lists_nothing', 'task.source_busy'],
  }),
  readConnector: get('/console-api/v1/task-sources/{code}/connector', {
    summary: 'Get the connector with which a system is polled',
    access: 'operator',
    permission: 'messages',
    params,
    reply: T.Object({
      connector: Nullable(TaskConnector),
      hasSecret: T.Boolean({ description: 'a secret is stored; it is never returned' }),
    }),
    errors: ['task.source_unknown'],
  }),
  connect: put('/console-api/v1/task-sources/{code}/connector', {
    summary:
      'Configure the connector of a system; an omitted secret is kept while the hosts stay the same',
    access: 'operator',
    permission: 'messages',
    params,
    body: T.Object({ connector: TaskConnector, secret: connectorSecret }),
    reply: TaskSource,
    errors: ['request.invalid', 'task.source_unknown'],
  }),
  disconnect: del('/console-api/v1/task-sources/{code}/connector', {
    summary: 'Remove the connector of a system; its tasks are unchanged',
    access: 'operator',
    permission: 'messages',
    params,
    reply: TaskSource,
    errors: ['task.source_unknown'],
  }),
  tryConnector: post('/console-api/v1/task-sources/{code}/connector/try', {
    summary:
      'Test a given connector, or the stored one, on the first pages, without storing anything',
    access: 'operator',
    permission: 'messages',
    params,
    body: T.Object({ connector: T.Optional(TaskConnector), secret: connectorSecret }),
    reply: TaskTrial,
    errors: ['request.invalid', 'task.source_unknown', 'task.source_lists_nothing'],
  }),
  remove: del('/console-api/v1/task-sources/{code}', {
    summary: 'Delete a system that has provided no tasks',
    access: 'operator',
    permission: 'messages',
    params,
    reply: T.Null(),
    errors: ['task.source_unknown', 'task.source_used'],
  }),
}
