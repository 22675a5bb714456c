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
    description: 'code of the system in the registry; empty: it puts nothing in by itself',
  }),
  callbackUrl: address('is told what members do; empty: the system fetches it'),
  listUrl: address('lists the open tasks of the system; empty: they are never compared'),
  secret: T.Optional(Secret({ minLength: 24, maxLength: 200 })),
}

export const TaskSource = T.Object(
  {
    code: T.String(),
    ...fields,
    secret: T.Optional(T.Never()),
    open: T.Integer({ description: 'tasks of it that are open' }),
    putAt: Nullable(Time),
    waiting: T.Integer({ description: 'actions it was not told of yet' }),
    waitingSince: Nullable(Time),
    comparedAt: Nullable(Time),
    everyMinutes: T.Integer({ description: 'its list is compared this often; 0: never' }),
    connected: T.Boolean({ description: 'it is polled by a description' }),
    compareError: T.String({ description: 'what was wrong with the last comparison, or empty' }),
    failures: T.Integer({ description: 'comparisons in a row that failed' }),
    compared: Nullable(
      T.Object({
        listed: T.Integer(),
        created: T.Integer(),
        changed: T.Integer(),
        ended: T.Integer({ description: 'open here, and not in the list of the system' }),
        unread: T.Integer({ description: 'listed, and left as they are: they could not be read' }),
      }),
    ),
    mended: T.Integer({ description: 'tasks that comparisons have mended so far' }),
  },
  { $id: 'TaskSource' },
)
export type TaskSource = Static<typeof TaskSource>

const params = T.Object({ code })
const connectorSecret = T.Optional(Secret({ minLength: 1, maxLength: 2000 }))

/** Systems that provide tasks, for operators. */
export const taskSources = {
  list: get('/console-api/v1/task-sources', {
    summary: 'Systems that put tasks in, with their health',
    access: 'operator',
    permission: 'messages',
    reply: T.Array(TaskSource),
  }),
  create: post('/console-api/v1/task-sources', {
    summary: 'Let a system put tasks in, or be polled for them',
    access: 'operator',
    permission: 'messages',
    body: T.Object({ code, ...fields }),
    reply: TaskSource,
    errors: ['request.invalid', 'task.source_known'],
  }),
  update: put('/console-api/v1/task-sources/{code}', {
    summary: 'Change a system that puts tasks in; without a secret it keeps its own',
    access: 'operator',
    permission: 'messages',
    params,
    body: T.Object(fields),
    reply: TaskSource,
    errors: ['request.invalid', 'task.source_unknown', 'task.source_known'],
  }),
  compare: post('/console-api/v1/task-sources/{code}/compare', {
    summary: 'Compare the open tasks with the list of the system now, and mend them',
    access: 'operator',
    permission: 'messages',
    params,
    reply: TaskSource,
    errors: ['task.source_unknown', 'task.source_lists_nothing', 'task.source_busy'],
  }),
  readConnector: get('/console-api/v1/task-sources/{code}/connector', {
    summary: 'The description by which a system is polled',
    access: 'operator',
    permission: 'messages',
    params,
    reply: T.Object({
      connector: Nullable(TaskConnector),
      hasSecret: T.Boolean({ description: 'the secret itself is never shown' }),
    }),
    errors: ['task.source_unknown'],
  }),
  connect: put('/console-api/v1/task-sources/{code}/connector', {
    summary:
      'Poll a system by a description; without a secret it keeps its own, while it goes to the same hosts',
    access: 'operator',
    permission: 'messages',
    params,
    body: T.Object({ connector: TaskConnector, secret: connectorSecret }),
    reply: TaskSource,
    errors: ['request.invalid', 'task.source_unknown'],
  }),
  disconnect: del('/console-api/v1/task-sources/{code}/connector', {
    summary: 'Poll a system no longer; its tasks stay as they are',
    access: 'operator',
    permission: 'messages',
    params,
    reply: TaskSource,
    errors: ['task.source_unknown'],
  }),
  tryConnector: post('/console-api/v1/task-sources/{code}/connector/try', {
    summary: 'Read the first pages by a description, or by the one that is kept, and keep nothing',
    access: 'operator',
    permission: 'messages',
    params,
    body: T.Object({ connector: T.Optional(TaskConnector), secret: connectorSecret }),
    reply: TaskTrial,
    errors: ['request.invalid', 'task.source_unknown', 'task.source_lists_nothing'],
  }),
  remove: del('/console-api/v1/task-sources/{code}', {
    summary: 'Remove a system that has put no tasks in',
    access: 'operator',
    permission: 'messages',
    params,
    reply: T.Null(),
    errors: ['task.source_unknown', 'task.source_used'],
  }),
}
