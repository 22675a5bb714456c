import { del, get, Id, Nullable, post, put, type Static, T } from '../define.ts'

const name = T.String({ minLength: 1, maxLength: 20, pattern: '\\S' })
export const maxTaskGroups = 30

export const TaskGroup = T.Object(
  { id: Id, name: T.String(), open: T.Integer({ description: 'number of visible to-dos in it' }) },
  { $id: 'TaskGroup' },
)
export type TaskGroup = Static<typeof TaskGroup>

const params = T.Object({ id: Id })

/** The member's own groups of tasks. */
export const taskGroups = {
  list: get('/transaction/api/v1/tagGroups', {
    summary: "List the member's task groups, in their order",
    access: 'member',
    reply: T.Array(TaskGroup),
  }),
  create: post('/transaction/api/v1/tagGroups', {
    summary: 'Create a task group',
    access: 'member',
    body: T.Object({ name }),
    reply: TaskGroup,
    errors: ['request.invalid', 'task.group_known', 'task.group_too_many'],
  }),
  checkName: get('/transaction/api/v1/tagGroups/checkName', {
    summary: 'Check whether the name of a task group is available',
    access: 'member',
    query: T.Object({ name }),
    reply: T.Object({ free: T.Boolean() }),
    errors: ['request.invalid'],
  }),
  move: post('/transaction/api/v1/tagGroups/move', {
    summary: 'Move tasks to a group; null: to none',
    access: 'member',
    body: T.Object({
      taskIds: T.Array(Id, { minItems: 1, maxItems: 200 }),
      groupId: Nullable(Id),
    }),
    reply: T.Null(),
    errors: ['request.invalid', 'task.group_not_found', 'task.not_found'],
  }),
  order: put('/transaction/api/v1/tagGroups/order', {
    summary: 'Set the order of the task groups; omitted ones come last',
    access: 'member',
    body: T.Object({ ids: T.Array(Id, { maxItems: maxTaskGroups }) }),
    reply: T.Array(TaskGroup),
    errors: ['request.invalid'],
  }),
  rename: put('/transaction/api/v1/tagGroups/{id}', {
    summary: 'Rename a task group',
    access: 'member',
    params,
    body: T.Object({ name }),
    reply: TaskGroup,
    errors: ['request.invalid', 'task.group_known', 'task.group_not_found'],
  }),
  remove: del('/transaction/api/v1/tagGroups/{id}', {
    summary: 'Delete a task group; its tasks stay',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['task.group_not_found'],
  }),
}
