import type { Task } from '@atrium/contract/work/tasks'
import { useState } from 'react'
import { actionName } from '#domains/work/task-handling/action-name.ts'
import { useHandling, usePreloadedHandleDialog } from '#domains/work/task-handling/handling.tsx'
import { rowOfAction } from '#domains/work/task-handling/task-menu.tsx'
import { m } from '#paraglide/messages.js'
import { ActionSheet } from '#ui/feedback/action-sheet.tsx'
import { Button } from '#ui/form/button.tsx'

/** Number of buttons side by side; further ones are in a menu. */
const shownActions = 2

/** The actions of a task, at the end of the screen. */
export function TaskActions({ task }: { task: Task }) {
  const { title, actions } = task
  const [more, setMore] = useState(false)
  usePreloadedHandleDialog()
  const { choose, dialog } = useHandling(task)
  const shown = actions.length > shownActions + 1 ? actions.slice(0, shownActions) : actions
  const rest = actions.slice(shown.length)
  return (
    <div className="bottom-bar task-actions" role="toolbar" aria-label={m.tasks_actions()}>
      {rest.length > 0 ? (
        <Button kind="plain" onClick={() => setMore(true)}>
          {m.tasks_actions_more()}
        </Button>
      ) : null}
      {shown.map((action) => (
        <Button
          key={action.code}
          kind={action.tone === 'primary' ? 'primary' : 'plain'}
          onClick={() => choose(action)}
        >
          {actionName(action)}
        </Button>
      ))}
      <ActionSheet
        open={more}
        onClose={() => setMore(false)}
        title={title}
        actions={rest.map((action) => rowOfAction(action, choose))}
      />
      {dialog}
    </div>
  )
}
