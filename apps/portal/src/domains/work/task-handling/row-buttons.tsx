import '#ui/row-buttons.css'
import type { TaskAction, TaskLine } from '@atrium/contract/work/tasks'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { actionName } from './action-name.ts'

/** Number of buttons in a row; the menu has the rest. */
const maxButtons = 2

/** The actions of a task as buttons in its row, primary ones first. */
export function RowButtons({
  task: { title, actions },
  onAct,
}: {
  task: Pick<TaskLine, 'title' | 'actions'>
  onAct: (action: TaskAction) => void
}) {
  if (actions.length === 0) return null
  const isMain = ({ tone }: TaskAction) => tone === 'primary'
  const sorted = [...actions.filter(isMain), ...actions.filter((action) => !isMain(action))]
  return (
    <div className="row-buttons">
      {sorted.slice(0, maxButtons).map((action, place) => (
        <Button
          key={action.code}
          small
          kind={place === 0 ? 'soft' : 'plain'}
          aria-label={m.tasks_do_named({ action: actionName(action), name: title })}
          onClick={() => onAct(action)}
        >
          {actionName(action)}
        </Button>
      ))}
    </div>
  )
}
