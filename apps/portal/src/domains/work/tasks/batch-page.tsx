import './tasks.css'
import type { TaskAction, TaskLine } from '@atrium/contract/work/tasks'
import { useEffect, useState } from 'react'
import { actionName } from '#domains/work/task-handling/action-name.ts'
import { HandleDialog } from '#domains/work/task-handling/handle-dialog.tsx'
import { useBatchHandle } from '#domains/work/task-handling/handling-queries.ts'
import {
  type HandlingInput,
  storeHandling,
  takeStoredHandling,
} from '#domains/work/task-handling/stored-handling.ts'
import { deleteDraft } from '#lib/drafts.ts'
import { m } from '#paraglide/messages.js'
import { confirmFirst } from '#shell/page/confirmation.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { TaskRowText } from './task-row.tsx'
import { useTaskList } from './tasks-queries.ts'

/** Limit of the server per request. */
const maxSelected = 200
const batch = 'batch'

/** Handles several to-dos at once, and shows the outcome of each. */
export default function BatchPage() {
  const list = useTaskList({ level: 'myTodo' })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map())
  const rows = (list.data?.pages.flatMap((page) => page.list) ?? []).filter(isBatchable)
  const all = rows.slice(0, maxSelected)
  const hasAll = all.length > 0 && all.every(({ id }) => selected.has(id))
  const selectAll = () => setSelected(new Set(hasAll ? [] : all.map(({ id }) => id)))
  // After a confirmation, the member continues with the earlier selection.
  const [storedInput, setStoredInput] = useState<HandlingInput>()
  useEffect(() => {
    const stored = takeStoredHandling(batch)
    if (!stored) return
    setSelected(new Set(stored.ids))
    setStoredInput(stored)
  }, [])
  const chosen = rows.filter(({ id }) => selected.has(id))
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id) && next.size < maxSelected) next.add(id)
    setSelected(next)
  }
  return (
    <Page
      actions={
        rows.length > 0 ? (
          <button type="button" className="nav-bar-action" onClick={selectAll}>
            {hasAll ? m.tasks_batch_none() : m.ui_select_all()}
          </button>
        ) : null
      }
      onRefresh={() => list.refetch()}
    >
      <div className="column">
        <QueryView
          query={list}
          skeleton={<Skeleton rows={5} height={72} label={m.shell_loading()} />}
          isEmpty={() => rows.length === 0 && !list.hasNextPage}
          empty={
            <Empty icon="check" title={m.tasks_batch_empty()}>
              {m.tasks_batch_empty_text()}
            </Empty>
          }
        >
          {() => (
            <>
              <ul className="task-lines" aria-label={m.tasks_level_todo()}>
                {rows.map((task) => (
                  <li key={task.id}>
                    <label className="task-line task-line-select">
                      <input
                        type="checkbox"
                        checked={selected.has(task.id)}
                        onChange={() => toggle(task.id)}
                      />
                      <span className="task-line-inside">
                        <TaskRowText task={task} level="myTodo" />
                        {failures.has(task.id) ? (
                          <span className="task-line-failure">{failures.get(task.id)}</span>
                        ) : null}
                      </span>
                    </label>
                  </li>
                ))}
              </ul>
              <ListEnd query={list} />
            </>
          )}
        </QueryView>
      </div>
      {chosen.length > 0 ? (
        <BatchActions
          tasks={chosen}
          storedInput={storedInput}
          onDone={(failed) => {
            setFailures(failed)
            setSelected(new Set(failed.keys()))
          }}
        />
      ) : rows.length > 0 ? (
        <p className="bottom-bar muted">{m.tasks_batch_hint()}</p>
      ) : null}
    </Page>
  )
}

const draftOf = ({ code }: TaskAction) => `tasks.batch ${code}`

/** Actions with required form fields must be done individually. */
const batchable = ({ actions }: TaskLine) =>
  actions.filter(({ fields }) => !fields.some(({ required }) => required))
const isBatchable = (task: TaskLine) => batchable(task).length > 0

/** The actions that all of them offer, by code and name. */
function commonActions(tasks: readonly TaskLine[]): TaskAction[] {
  const [first, ...others] = tasks.map(batchable)
  return (first ?? []).flatMap((action) => {
    const same = others.map((actions) =>
      actions.find(({ code, text }) => code === action.code && text === action.text),
    )
    if (same.includes(undefined)) return []
    // The strictest comment requirement applies to all.
    const wants = [action, ...same].map((one) => one?.comment)
    const comment = wants.includes('required')
      ? 'required'
      : wants.includes('none')
        ? 'none'
        : 'optional'
    const confirm = [action, ...same].some((one) => one?.confirm)
    return wants.includes('required') && wants.includes('none')
      ? []
      : [{ ...action, comment, confirm }]
  })
}

function BatchActions({
  tasks,
  storedInput,
  onDone,
}: {
  tasks: readonly TaskLine[]
  /** input from before the confirmation */
  storedInput: HandlingInput | undefined
  /** called with the reason for each task that failed */
  onDone: (failed: ReadonlyMap<string, string>) => void
}) {
  const actions = commonActions(tasks)
  const [action, setAction] = useState(() =>
    actions.find(({ code }) => code === storedInput?.action),
  )
  const { mutate, isPending } = useBatchHandle(
    (outcomes) => {
      const failed = outcomes.filter(({ error }) => error !== '')
      const count = outcomes.length - failed.length
      toast(
        failed.length === 0
          ? m.tasks_batch_done({ count })
          : m.tasks_batch_partly({ count, failed: failed.length }),
      )
      if (action) deleteDraft(draftOf(action))
      setAction(undefined)
      onDone(new Map(failed.map(({ id, message }) => [id, message])))
    },
    (error, { body: { ids, action, comment } }) => {
      if (error.code !== 'session.confirmation_due') return false
      storeHandling(batch, { ids, action, comment, form: {}, files: {}, key: '' })
      setAction(undefined)
      return confirmFirst(error)
    },
  )
  return (
    <div className="bottom-bar" role="toolbar" aria-label={m.tasks_actions()}>
      <p className="task-batch-count num" role="status">
        {actions.length > 0
          ? m.ui_selected({ count: tasks.length })
          : m.tasks_batch_nothing_common()}
      </p>
      {actions.map((one) => (
        <Button
          key={one.code}
          small
          kind={one.tone === 'primary' ? 'primary' : 'plain'}
          onClick={() => setAction(one)}
        >
          {actionName(one)}
        </Button>
      ))}
      {action ? (
        <HandleDialog
          action={{ ...action, fields: [] }}
          count={tasks.length}
          {...(action.code === storedInput?.action && { initial: storedInput })}
          draft={draftOf(action)}
          busy={isPending}
          onClose={() => setAction(undefined)}
          onHandle={({ comment }) =>
            mutate({ body: { ids: tasks.map(({ id }) => id), action: action.code, comment } })
          }
        />
      ) : null}
    </div>
  )
}
