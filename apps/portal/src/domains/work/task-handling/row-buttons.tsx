import '#ui/row-buttons.css'
import type { TaskAction, TaskLine } from '@atrium/contract/work/tasks'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { actionName } from './action-name.ts'

/** Beside one another on a row; the rest is in its menu. */
const shown = 2

/** What may be done about a task, in its row. The one that is meant first stands first. */
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
      {sorted.slice(0, shown).map((action, place) => (
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
