import { type TaskGroup, taskGroups } from '@atrium/contract/work/task-groups'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useOptimisticAction } from '#shell/page/action.ts'
import { OrderList } from '#ui/order-list.tsx'

/** The member's groups, to put in order. */
export function GroupOrder({ groups }: { groups: readonly TaskGroup[] }) {
  const order = useOptimisticAction(taskGroups.order, {
    query: q(taskGroups.list),
    update: (all, { body: { ids } }) =>
      ids.flatMap((id) => all.find((group) => group.id === id) ?? []),
    queue: 'task-groups',
  })
  return (
    <OrderList
      label={m.tasks_groups_arrange()}
      entries={groups}
      onOrder={(ids) => order.mutate({ body: { ids } })}
    />
  )
}
