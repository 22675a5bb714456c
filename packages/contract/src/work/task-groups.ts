import { del, get, Id, Nullable, post, put, type Static, T } from '../define.ts'

const name = T.String({ minLength: 1, maxLength: 20, pattern: '\\S' })
export const maxTaskGroups = 30

export const TaskGroup = T.Object(
  { id: Id, name: T.String(), open: T.Integer({ description: 'to-dos in it that are shown' }) },
  { $id: 'TaskGroup' },
)
export type TaskGroup = Static<typeof TaskGroup>

const params = T.Object({ id: Id })

/** The member's own groups of tasks. */
export const taskGroups = {
  list: get('/transaction/api/v1/tagGroups', {
    summary: "The member's groups of tasks, in their order",
    access: 'member',
    reply: T.Array(TaskGroup),
  }),
  create: post('/transaction/api/v1/tagGroups', {
    summary: 'Make a group',
    access: 'member',
    body: T.Object({ name }),
    reply: TaskGroup,
    errors: ['request.invalid', 'task.group_known', 'task.group_too_many'],
  }),
  checkName: get('/transaction/api/v1/tagGroups/checkName', {
    summary: 'Whether a name is free',
    access: 'member',
    query: T.Object({ name }),
    reply: T.Object({ free: T.Boolean() }),
    errors: ['request.invalid'],
  }),
  move: post('/transaction/api/v1/tagGroups/move', {
    summary: 'Put tasks into a group, or with null into none',
    access: 'member',
    body: T.Object({
      taskIds: T.Array(Id, { minItems: 1, maxItems: 200 }),
      groupId: Nullable(Id),
    }),
    reply: T.Null(),
    errors: ['request.invalid', 'task.group_not_found', 'task.not_found'],
  }),
  order: put('/transaction/api/v1/tagGroups/order', {
    summary: 'Set the order of the groups; those left out come last',
    access: 'member',
    body: T.Object({ ids: T.Array(Id, { maxItems: maxTaskGroups }) }),
    reply: T.Array(TaskGroup),
    errors: ['request.invalid'],
  }),
  rename: put('/transaction/api/v1/tagGroups/{id}', {
    summary: 'Rename a group',
    access: 'member',
    params,
    body: T.Object({ name }),
    reply: TaskGroup,
    errors: ['request.invalid', 'task.group_known', 'task.group_not_found'],
  }),
  remove: del('/transaction/api/v1/tagGroups/{id}', {
    summary: 'Remove a group; its tasks stay',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['task.group_not_found'],
  }),
}
