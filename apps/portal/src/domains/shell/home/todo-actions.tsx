import type { TaskAction, TaskLine } from '@atrium/contract/work/tasks'
import { lazy, Suspense, useEffect, useState } from 'react'
import { RowButtons } from '#domains/work/task-handling/row-buttons.tsx'
import { keysWith, outboxPrefix } from '#lib/storage.ts'
import { useKeptFocus } from '#ui/kept-focus.ts'

// The code for handling tasks is loaded with the first action.
const RowActions = lazy(() =>
  import('#domains/work/task-handling/row-actions.tsx').then(({ RowActions }) => ({
    default: RowActions,
  })),
)

/** The actions for a to-do, directly on home. */
export function TodoActions({ task }: { task: TaskLine }) {
  const [chosen, choose] = useState<TaskAction | 'none'>()
  // An earlier action can still be undone, or waits for a network.
  useEffect(() => {
    if (keysWith(outboxPrefix).length > 0) choose((now) => now ?? 'none')
  }, [])
  const keptFocus = useKeptFocus()
  if (task.actions.length === 0) return null
  const buttons = <RowButtons task={task} onAct={choose} />
  return (
    <div className="todo-act" {...keptFocus}>
      {chosen ? (
        <Suspense fallback={buttons}>
          <RowActions task={task} first={chosen === 'none' ? undefined : chosen} />
        </Suspense>
      ) : (
        buttons
      )}
    </div>
  )
}
