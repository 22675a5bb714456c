import './todos.css'
import type { TodoDetail } from '@atrium/contract/work/todos'
import { useState } from 'react'
import { dueText } from '#domains/work/tasks/due.ts'
import { formatDayAndTime } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { HrefLink, Link } from '#shell/navigation/link.tsx'
import { back } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { FactList } from '#ui/fact-list.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { reminderName, repeatName } from './labels.ts'
import { useFinish, useRemove, useSetStep, useTodo } from './todo-queries.ts'

/** One to-do: its steps, executors and state. */
export default function TodoPage() {
  const { id } = useSearch('/msgCenter/pages/task/personalDetail')
  const todo = useTodo(id)
  return (
    <Page onRefresh={() => todo.refetch()}>
      <div className="column stack">
        <QueryView query={todo} skeleton={<Skeleton height={320} label={m.shell_loading()} />}>
          {(found) => <Detail todo={found} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Detail({ todo }: { todo: TodoDetail }) {
  const { timeZone } = useSystem()
  const { id, title, note, dueAt, finishedAt, doneAt, repeat, reminders, own, source, tags } = todo
  const due = dueAt && !finishedAt ? dueText(dueAt, timeZone) : undefined
  const facts: [string, string][] = [
    ...(dueAt ? [[m.todos_due(), formatDayAndTime(dueAt, timeZone)] as [string, string]] : []),
    ...(repeat === 'none' ? [] : [[m.todos_repeat(), repeatName[repeat]()] as [string, string]]),
    ...(reminders.length > 0
      ? [
          [m.todos_reminders_title(), reminders.map(reminderName).join(m.todos_separator())] as [
            string,
            string,
          ],
        ]
      : []),
    ...(own ? [] : [[m.todos_owner(), inLanguage(todo.owner, todo.ownerEn)] as [string, string]]),
    ...(tags.length > 0 ? [[m.todos_tags(), tags.join(' ')] as [string, string]] : []),
  ]
  return (
    <>
      <Card>
        <h2 className="todo-heading" lang={userTextLang(title)}>
          {title}
        </h2>
        {due ? (
          <p className={due.pressing ? 'num todo-pressing' : 'num muted'}>{due.text}</p>
        ) : null}
        {finishedAt ? (
          <p className="num muted">{m.todos_finished_at({ time: formatDayAndTime(finishedAt) })}</p>
        ) : null}
        {note ? (
          <p className="todo-note" lang={userTextLang(note)}>
            {note}
          </p>
        ) : null}
        {source ? (
          <p>
            <HrefLink href={source.url}>{m.todos_source({ title: source.title })}</HrefLink>
          </p>
        ) : null}
        {facts.length > 0 ? (
          <div className="todo-about">
            <FactList of={facts} />
          </div>
        ) : null}
      </Card>
      {todo.stepList.length > 0 ? (
        <Card title={m.todos_steps()}>
          <ul className="todo-steps">
            {todo.stepList.map((step, index) => (
              // Steps have no identity but their index.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <Step key={`${index} ${step.done}`} todoId={id} index={index} step={step} />
            ))}
          </ul>
        </Card>
      ) : null}
      {todo.executorList.length > 0 ? (
        <Card title={m.todos_executors_title()}>
          <ul className="todo-executors">
            {todo.executorList.map((one) => (
              <li key={one.accountName}>
                <span>{inLanguage(one.name, one.nameEn)}</span>
                <span className="muted num">
                  {one.doneAt
                    ? m.todos_done_at({ time: formatDayAndTime(one.doneAt) })
                    : m.todos_not_done()}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      <Actions todo={todo} done={finishedAt !== null || (!own && doneAt !== null)} />
    </>
  )
}

type StepProps = { todoId: string; index: number; step: TodoDetail['stepList'][number] }

/** Optimistic: ticks the step immediately; the answer corrects it. */
function Step({ todoId, index, step }: StepProps) {
  const [done, setDone] = useState(step.done)
  const { mutate } = useSetStep(() => setDone(step.done))
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={done}
          onChange={(event) => {
            setDone(event.target.checked)
            mutate({ params: { id: todoId }, body: { index, done: event.target.checked } })
          }}
        />
        <span className={done ? 'todo-done' : undefined} lang={userTextLang(step.text)}>
          {step.text}
        </span>
      </label>
    </li>
  )
}

function Actions({ todo: { id, own, mayFinish }, done }: { todo: TodoDetail; done: boolean }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const finish = useFinish((_, finished) => {
    if (finished) toast(m.todos_is_finished())
  })
  const remove = useRemove(() => {
    toast(own ? m.todos_is_removed() : m.todos_is_left())
    back()
  })
  return (
    <div className="todo-actions">
      <Button
        wide
        kind={done ? 'plain' : 'primary'}
        busy={finish.isPending}
        onClick={() => finish.mutate({ params: { id }, body: { finished: !done } })}
      >
        {done ? m.todos_reopen() : own || mayFinish ? m.todos_finish() : m.todos_finish_part()}
      </Button>
      {own ? (
        <Link className="button button-plain" to="/msgCenter/pages/task/addtodo" search={{ id }}>
          {m.todos_edit_title()}
        </Link>
      ) : null}
      <Button kind="plain" onClick={() => setIsConfirming(true)}>
        {own ? m.todos_remove() : m.todos_leave()}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={own ? m.todos_remove_ask() : m.todos_leave_ask()}
        actions={
          <>
            <Button kind="plain" onClick={() => setIsConfirming(false)}>
              {m.ui_cancel()}
            </Button>
            <Button
              kind="danger"
              busy={remove.isPending}
              onClick={() => remove.mutate({ params: { id } })}
            >
              {own ? m.todos_remove() : m.todos_leave()}
            </Button>
          </>
        }
      >
        {own ? m.todos_remove_text() : m.todos_leave_text()}
      </Dialog>
    </div>
  )
}
