import type { TaskAction, TaskLine } from '@atrium/contract/work/tasks'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { randomId } from '#lib/random-id.ts'
import { savesData, whenIdle } from '#lib/when-idle.ts'
import { m } from '#paraglide/messages.js'
import { holdInOutbox, withdrawFromOutbox } from '#shell/outbox.ts'
import { confirmFirst } from '#shell/page/confirmation.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { actionName } from './action-name.ts'
import type { Filled } from './handle-dialog.tsx'
import { useHandle } from './handling-queries.ts'
import { storeHandling, takeStoredHandling } from './stored-handling.ts'
import { storeAction } from './waiting-actions.ts'

/** Lazy: it imports forms, files and people, which a read-only list does not need. */
const load = () => import('./handle-dialog.tsx')
const HandleDialog = lazy(() => load().then(({ HandleDialog }) => ({ default: HandleDialog })))

/** Preloads the dialog, also for the case that the network is gone when it is needed. */
export const usePreloadedHandleDialog = () =>
  useEffect(() => (savesData() ? undefined : whenIdle(() => void load().catch(() => {}))), [])

const emptyInput: Filled = { comment: '', form: {}, files: {} }
/** Optional comments are not asked for here; the menu does. */
const needsInput = ({ confirm, comment, fields }: TaskAction) =>
  confirm || comment === 'required' || fields.length > 0

/**
 * Whether the action can be held for undo before it is sent. Confirmation is required immediately, and form fields are
 * validated by the source and corrected in the dialog.
 */
const mayUndo = ({ confirm, fields }: TaskAction) => !confirm && fields.length === 0

const offerUndo = (action: TaskAction, key: string) =>
  toast(m.shell_outbox_done({ action: actionName(action) }), {
    label: m.shell_outbox_undo(),
    run: () => void withdrawFromOutbox(key),
    hold: () => holdInOutbox(key),
  })

type Chosen = { action: TaskAction; key: string; initial?: Filled }

/** Handles a task: `choose` an action, and render the `dialog` that asks for its input. */
export function useHandling(task: Pick<TaskLine, 'id' | 'title' | 'actions'>) {
  const { id, actions } = task
  const [chosen, setChosen] = useState<Chosen>()
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const { mutate, isPending } = useHandle(
    () => {
      if (chosen) {
        deleteDraft(draftOf(id, chosen.action))
        toast(m.tasks_handled({ action: actionName(chosen.action) }))
      }
      setChosen(undefined)
    },
    (error, { body: { action, comment, form = {}, files = {}, key = randomId() } }) => {
      const { code, fields = {} } = error
      if (code === 'session.confirmation_due') {
        storeHandling(id, { action, comment, form, files, key, ids: [] })
        setChosen(undefined)
        return confirmFirst(error)
      }
      // Actions that need a confirmation cannot wait for the network: the server requires a recent one.
      const mayWait = (code === 'network' || code === 'timeout') && chosen && !chosen.action.confirm
      if (mayWait && storeAction(task, chosen.action, key, { comment, form, files })) {
        deleteDraft(draftOf(id, chosen.action))
        setChosen(undefined)
        toast(m.tasks_waiting_kept(), {
          label: m.tasks_waiting_take_back(),
          run: () => void withdrawFromOutbox(key),
        })
        return true
      }
      setIssues(fields)
      return Object.keys(fields).length > 0
    },
  )
  // After a confirmation, continues where it was asked for; a tab that is shown again runs this again.
  const offered = useRef(actions)
  offered.current = actions
  useEffect(() => {
    const stored = takeStoredHandling(id)
    const action = offered.current.find(({ code }) => code === stored?.action)
    if (stored && action) whenLoaded(() => setChosen({ action, key: stored.key, initial: stored }))
  }, [id])
  // One idempotency key per choice, so that a lost answer does nothing twice.
  const choose = (action: TaskAction) => {
    setIssues({})
    whenLoaded(() => setChosen({ action, key: randomId() }))
  }
  return {
    choose,
    /** Performs actions that need no input immediately, with undo; otherwise asks. */
    act(action: TaskAction) {
      const key = randomId()
      if (needsInput(action) || !storeAction(task, action, key, emptyInput, { undoable: true }))
        return choose(action)
      offerUndo(action, key)
    },
    dialog: chosen ? (
      <Suspense>
        <HandleDialog
          key={chosen.key}
          action={chosen.action}
          {...(chosen.initial && { initial: chosen.initial })}
          draft={draftOf(id, chosen.action)}
          busy={isPending}
          issues={issues}
          onClose={() => setChosen(undefined)}
          onHandle={(filled) => {
            const { action, key } = chosen
            // Offline it waits anyway, and the member is told immediately.
            if (
              mayUndo(action) &&
              navigator.onLine &&
              // The draft stays until then: after undo, the input is still there.
              storeAction(task, action, key, filled, {
                undoable: true,
                draft: draftOf(id, action),
              })
            ) {
              setChosen(undefined)
              return offerUndo(action, key)
            }
            mutate({ params: { id }, body: { action: action.code, key, ...filled } })
          }}
        />
      </Suspense>
    ) : null,
  }
}

const draftOf = (id: string, { code }: TaskAction) => `tasks.handle ${id} ${code}`

/** If the dialog fails to load, shows a message and the member may try again. */
const whenLoaded = (open: () => void) =>
  void load().then(open, () => toast(m.shell_error_network()))
