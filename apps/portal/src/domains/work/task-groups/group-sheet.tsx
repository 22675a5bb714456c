import './task-groups.css'
import { taskGroups } from '@atrium/contract/work/task-groups'
import { type TaskLine, tasks } from '@atrium/contract/work/tasks'
import { lazy, Suspense, useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { useTaskGroups } from './task-groups-queries.ts'

// Only needed to change the order, and larger than all of the sheet.
const GroupOrder = lazy(() =>
  import('./group-order.tsx').then(({ GroupOrder }) => ({ default: GroupOrder })),
)

const changed = [taskGroups.list, tasks.read, tasks.list]

/** Chooses, creates or deletes the group of a task, and orders the groups. */
export function GroupSheet({ task, onClose }: { task: TaskLine; onClose: () => void }) {
  const groups = useTaskGroups().data ?? []
  const [name, setName] = useState('')
  const [error, setError] = useState('')
  const [arranging, setArranging] = useState(false)
  const move = useAction(taskGroups.move, { invalidates: changed, done: onClose })
  const moveTo = (groupId: string | null) => move.mutate({ body: { taskIds: [task.id], groupId } })
  const create = useAction(taskGroups.create, {
    invalidates: changed,
    done({ id }) {
      deleteDraft('task_groups.new')
      moveTo(id)
    },
    failed: ({ message }) => {
      setError(message)
      return true
    },
  })
  const remove = useAction(taskGroups.remove, {
    invalidates: changed,
    done: () => toast(m.tasks_group_removed()),
  })
  if (arranging)
    return (
      <Sheet
        open
        onClose={onClose}
        title={m.tasks_groups_arrange()}
        actions={<Button onClick={() => setArranging(false)}>{m.tasks_done()}</Button>}
      >
        <Suspense fallback={<Skeleton rows={3} height={56} label={m.shell_loading()} />}>
          <GroupOrder groups={groups} />
        </Suspense>
      </Sheet>
    )
  return (
    <Sheet open onClose={onClose} title={m.tasks_group_move()}>
      <div className="stack">
        {groups.length > 0 ? (
          <ul>
            {groups.map((group) => (
              <li key={group.id} className="task-group">
                <label>
                  <input
                    type="radio"
                    name="group"
                    checked={task.tagGroup === group.id}
                    onChange={() => moveTo(group.id)}
                  />
                  {group.name}
                </label>
                <IconButton
                  label={m.tasks_group_remove({ name: group.name })}
                  onClick={() => remove.mutate({ params: { id: group.id } })}
                >
                  <Icon name="trash" />
                </IconButton>
              </li>
            ))}
            <li className="task-group">
              <label>
                <input
                  type="radio"
                  name="group"
                  checked={task.tagGroup === null}
                  onChange={() => moveTo(null)}
                />
                {m.tasks_group_none()}
              </label>
            </li>
          </ul>
        ) : null}
        {groups.length > 1 ? (
          <Button kind="plain" small onClick={() => setArranging(true)}>
            {m.tasks_groups_arrange()}
          </Button>
        ) : null}
        <DraftForm
          draft={'task_groups.new'}
          quiet
          className="task-group-new"
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim()) create.mutate({ body: { name: name.trim() } })
          }}
        >
          <Field
            label={m.tasks_group_new()}
            value={name}
            onValue={(next) => {
              setName(next)
              setError('')
            }}
            error={error}
            maxLength={20}
          />
          <Button kind="plain" busy={create.isPending} disabled={!name.trim()} type="submit">
            {m.tasks_group_add()}
          </Button>
        </DraftForm>
      </div>
    </Sheet>
  )
}
