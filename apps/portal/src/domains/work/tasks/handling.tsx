import type { TaskAction } from '@atrium/contract/work/tasks'
import { useState } from 'react'
import { randomId } from '#lib/random-id.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'
import { actionName, HandleDialog } from './handle-dialog.tsx'
import { useHandle } from './tasks-queries.ts'

type Chosen = { action: TaskAction; key: string }

/** Handles a task: `choose` one of its actions, and show the `dialog` that asks what it needs. */
export function useHandling(id: string) {
  const [chosen, setChosen] = useState<Chosen>()
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const { mutate, isPending } = useHandle(
    () => {
      if (chosen) toast(m.tasks_handled({ action: actionName(chosen.action) }))
      setChosen(undefined)
    },
    ({ fields = {} }) => {
      setIssues(fields)
      return Object.keys(fields).length > 0
    },
  )
  return {
    // A key for each choice: an answer that got lost does nothing twice.
    choose(action: TaskAction) {
      setIssues({})
      setChosen({ action, key: randomId() })
    },
    dialog: chosen ? (
      <HandleDialog
        key={chosen.key}
        action={chosen.action}
        busy={isPending}
        issues={issues}
        onClose={() => setChosen(undefined)}
        onHandle={({ comment, form }) =>
          mutate({
            params: { id },
            body: { action: chosen.action.code, comment, form, key: chosen.key },
          })
        }
      />
    ) : null,
  }
}
