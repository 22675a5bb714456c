import { type TaskGroup, taskGroups } from '@atrium/contract/work/task-groups'
import { useLayoutEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** The member's groups, with buttons to move each up and down. */
export function GroupOrder({ groups }: { groups: readonly TaskGroup[] }) {
  const [order, setOrder] = useState(groups)
  const [announcement, setAnnouncement] = useState('')
  const pressed = useRef<HTMLButtonElement>(null)
  const { mutate } = useAction(taskGroups.order, {
    invalidates: [taskGroups.list],
    queue: 'task-groups',
    failed() {
      setOrder(groups)
      return false
    },
  })
  // A row moved in the document loses the focus, so restore it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the order changes
  useLayoutEffect(() => pressed.current?.focus(), [order])
  function move(from: number, to: number, button: HTMLButtonElement) {
    const group = order[from]
    if (!group || to < 0 || to >= order.length) return
    const next = order.filter((_, at) => at !== from)
    next.splice(to, 0, group)
    pressed.current = button
    setOrder(next)
    setAnnouncement(m.tasks_group_moved({ name: group.name, place: to + 1, count: next.length }))
    mutate({ body: { ids: next.map(({ id }) => id) } })
  }
  return (
    <>
      <ol aria-label={m.tasks_groups_arrange()}>
        {order.map(({ id, name }, at) => (
          <li key={id} className="task-group">
            <span className="task-group-name">{name}</span>
            <span className="task-group-up">
              <IconButton
                label={m.tasks_group_up({ name })}
                aria-disabled={at === 0}
                onClick={({ currentTarget }) => move(at, at - 1, currentTarget)}
              >
                <Icon name="chevron" />
              </IconButton>
            </span>
            <span className="task-group-down">
              <IconButton
                label={m.tasks_group_down({ name })}
                aria-disabled={at === order.length - 1}
                onClick={({ currentTarget }) => move(at, at + 1, currentTarget)}
              >
                <Icon name="chevron" />
              </IconButton>
            </span>
          </li>
        ))}
      </ol>
      <p className="unseen" role="status">
        {announcement}
      </p>
    </>
  )
}
