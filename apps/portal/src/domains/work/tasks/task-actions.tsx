import type { Task, TaskAction } from '@atrium/contract/work/tasks'
import { useState } from 'react'
import { randomId } from '#lib/random-id.ts'
import { m } from '#paraglide/messages.js'
import { ActionSheet } from '#ui/feedback/action-sheet.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { actionName, HandleDialog } from './handle-dialog.tsx'
import { useHandle } from './use-handle.ts'

/** Beside one another; with more, the rest is behind a button. */
const shownActions = 2

type Chosen = { action: TaskAction; key: string }

/** What the member may do about a task, at the end of the screen. */
export function TaskActions({ task: { id, title, actions } }: { task: Task }) {
  const [chosen, setChosen] = useState<Chosen>()
  const [more, setMore] = useState(false)
  const { mutate, isPending } = useHandle(() => {
    if (chosen) toast(m.tasks_handled({ action: actionName(chosen.action) }))
    setChosen(undefined)
  })
  // A key for each choice: an answer that got lost does nothing twice.
  const choose = (action: TaskAction) => setChosen({ action, key: randomId() })
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
        actions={rest.map((action) => ({
          icon: 'edit',
          label: actionName(action),
          danger: action.tone === 'danger',
          onSelect: () => choose(action),
        }))}
      />
      {chosen ? (
        <HandleDialog
          key={chosen.key}
          action={chosen.action}
          busy={isPending}
          onClose={() => setChosen(undefined)}
          onHandle={({ comment, form }) =>
            mutate({
              params: { id },
              body: { action: chosen.action.code, comment, form, key: chosen.key },
            })
          }
        />
      ) : null}
    </div>
  )
}
