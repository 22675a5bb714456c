import type { TaskAction, TaskLine } from '@atrium/contract/work/tasks'
import { useEffect, useRef, useState } from 'react'
import { randomId } from '#lib/random-id.ts'
import { m } from '#paraglide/messages.js'
import { confirmFirst } from '#shell/page/confirmation.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { actionName } from './action-name.ts'
import { type Filled, HandleDialog } from './handle-dialog.tsx'
import { useHandle } from './handling-queries.ts'
import { keepHandling, takeHandling } from './kept-handling.ts'

type Chosen = { action: TaskAction; key: string; initial?: Filled }

/** Handles a task: `choose` one of its actions, and show the `dialog` that asks what it needs. */
export function useHandling({ id, actions }: Pick<TaskLine, 'id' | 'actions'>) {
  const [chosen, setChosen] = useState<Chosen>()
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const { mutate, isPending } = useHandle(
    () => {
      if (chosen) toast(m.tasks_handled({ action: actionName(chosen.action) }))
      setChosen(undefined)
    },
    (error, { body: { action, comment, form = {}, files = {}, key = randomId() } }) => {
      const { code, fields = {} } = error
      if (code === 'session.confirmation_due') {
        keepHandling(id, { action, comment, form, files, key, ids: [] })
        setChosen(undefined)
        return confirmFirst(error)
      }
      setIssues(fields)
      return Object.keys(fields).length > 0
    },
  )
  // Whoever has shown who they are goes on where they were asked; a tab that shows again runs this anew.
  const offered = useRef(actions)
  offered.current = actions
  useEffect(() => {
    const kept = takeHandling(id)
    const action = offered.current.find(({ code }) => code === kept?.action)
    if (kept && action) setChosen({ action, key: kept.key, initial: kept })
  }, [id])
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
        {...(chosen.initial && { initial: chosen.initial })}
        busy={isPending}
        issues={issues}
        onClose={() => setChosen(undefined)}
        onHandle={(filled) =>
          mutate({
            params: { id },
            body: { action: chosen.action.code, key: chosen.key, ...filled },
          })
        }
      />
    ) : null,
  }
}
