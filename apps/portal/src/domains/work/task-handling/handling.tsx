import type { TaskAction, TaskLine } from '@atrium/contract/work/tasks'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { dropDraft } from '#lib/drafts.ts'
import { randomId } from '#lib/random-id.ts'
import { savesData, whenIdle } from '#lib/when-idle.ts'
import { m } from '#paraglide/messages.js'
import { takeBack } from '#shell/outbox.ts'
import { confirmFirst } from '#shell/page/confirmation.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { actionName } from './action-name.ts'
import type { Filled } from './handle-dialog.tsx'
import { useHandle } from './handling-queries.ts'
import { keepHandling, takeHandling } from './kept-handling.ts'
import { keepAction } from './waiting-actions.ts'

/** Forms, files and people come with it: a list that is only read needs none of them. */
const load = () => import('./handle-dialog.tsx')
const HandleDialog = lazy(() => load().then(({ HandleDialog }) => ({ default: HandleDialog })))

/** Has the dialog here before it is asked for, also for when the network is gone by then. */
export const useHandleDialogSoon = () =>
  useEffect(() => (savesData() ? undefined : whenIdle(() => void load().catch(() => {}))), [])

const nothing: Filled = { comment: '', form: {}, files: {} }
/** A comment that may be left out is left out: the menu asks for it. */
const asksFor = ({ confirm, comment, fields }: TaskAction) =>
  confirm || comment === 'required' || fields.length > 0

/**
 * Whether a while to undo it comes between the dialog and the server. What needs a proof is asked for it now; what is filled
 * in is checked by the source, and is put right in the dialog.
 */
const mayUndo = ({ confirm, fields }: TaskAction) => !confirm && fields.length === 0

const offerUndo = (action: TaskAction, key: string) =>
  toast(m.shell_outbox_done({ action: actionName(action) }), {
    label: m.shell_outbox_undo(),
    run: () => void takeBack(key),
  })

type Chosen = { action: TaskAction; key: string; initial?: Filled }

/** Handles a task: `choose` one of its actions, and show the `dialog` that asks what it needs. */
export function useHandling(task: Pick<TaskLine, 'id' | 'title' | 'actions'>) {
  const { id, actions } = task
  const [chosen, setChosen] = useState<Chosen>()
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const { mutate, isPending } = useHandle(
    () => {
      if (chosen) {
        dropDraft(draftOf(id, chosen.action))
        toast(m.tasks_handled({ action: actionName(chosen.action) }))
      }
      setChosen(undefined)
    },
    (error, { body: { action, comment, form = {}, files = {}, key = randomId() } }) => {
      const { code, fields = {} } = error
      if (code === 'session.confirmation_due') {
        keepHandling(id, { action, comment, form, files, key, ids: [] })
        setChosen(undefined)
        return confirmFirst(error)
      }
      // The server asks for the proof of this moment, not of when the network is back.
      const mayWait = (code === 'network' || code === 'timeout') && chosen && !chosen.action.confirm
      if (mayWait && keepAction(task, chosen.action, key, { comment, form, files })) {
        dropDraft(draftOf(id, chosen.action))
        setChosen(undefined)
        toast(m.tasks_waiting_kept(), {
          label: m.tasks_waiting_take_back(),
          run: () => void takeBack(key),
        })
        return true
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
    if (kept && action) whenHere(() => setChosen({ action, key: kept.key, initial: kept }))
  }, [id])
  // A key for each choice: an answer that got lost does nothing twice.
  const choose = (action: TaskAction) => {
    setIssues({})
    whenHere(() => setChosen({ action, key: randomId() }))
  }
  return {
    choose,
    /** Does at once what needs nothing more, and can be undone for a while; asks otherwise. */
    act(action: TaskAction) {
      const key = randomId()
      if (asksFor(action) || !keepAction(task, action, key, nothing, true)) return choose(action)
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
            // Without a network it waits anyway, and is told so at once.
            if (
              mayUndo(action) &&
              navigator.onLine &&
              keepAction(task, action, key, filled, true)
            ) {
              // The draft stays: who takes it back finds what they wrote.
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

/** A dialog that does not come is no reason to lose the page: the member is told, and may try again. */
const whenHere = (open: () => void) => void load().then(open, () => toast(m.shell_error_network()))
