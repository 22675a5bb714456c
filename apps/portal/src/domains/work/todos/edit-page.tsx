import './todos.css'
import { news } from '@atrium/contract/content/news'
import { messages } from '@atrium/contract/work/messages'
import { schedule } from '@atrium/contract/work/schedule'
import { maxTodoSteps, type TodoDetail, todos } from '@atrium/contract/work/todos'
import { dayIn } from '@atrium/rules/day-in'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { invalidate, q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { back, hrefOf, redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DateField } from '#ui/form/date-field.tsx'
import { DraftNote } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { reminderName, repeatName } from './labels.ts'
import { changeDraft, clearDraft, type Draft, editTodo, getDraft, useDraft } from './todo-draft.ts'
import { changedTodos, useTodo } from './todo-queries.ts'

/** Creates a to-do, also from an article, a message or an event, or changes one of the member's own. */
export default function EditPage() {
  const { id, message, article, event } = useSearch('/msgCenter/pages/task/addtodo')
  return (
    <Page title={id ? m.todos_edit_title() : undefined}>
      <div className="column stack">
        {id ? (
          <Change id={id} />
        ) : message ? (
          <FromMessage id={message} />
        ) : article ? (
          <FromArticle id={article} />
        ) : event ? (
          <FromEvent id={event} />
        ) : (
          <New />
        )}
      </div>
    </Page>
  )
}

const skeleton = () => <Skeleton height={480} label={m.shell_loading()} />

function Change({ id }: { id: string }) {
  const todo = useTodo(id)
  return (
    <QueryView query={todo} skeleton={skeleton()}>
      {(found) => <EditForm todo={found} />}
    </QueryView>
  )
}
function EditForm({ todo }: { todo: TodoDetail }) {
  useEffect(() => {
    if (editTodo(todo, inLanguage)) toast(m.todos_changed_elsewhere())
  }, [todo])
  return useDraft().id === todo.id ? <TodoForm /> : skeleton()
}

function New() {
  useEffect(() => {
    if (getDraft().id) clearDraft()
  }, [])
  return <TodoForm />
}

function FromMessage({ id }: { id: string }) {
  const message = useQuery(q(messages.read, { query: { id } }))
  return (
    <QueryView query={message} skeleton={skeleton()}>
      {({ title, titleEn }) => (
        <NewFrom
          title={inLanguage(title, titleEn)}
          url={hrefOf('/pagesA/message/detail', { id })}
        />
      )}
    </QueryView>
  )
}

function FromArticle({ id }: { id: string }) {
  const { columnId } = useSearch('/msgCenter/pages/task/addtodo')
  const article = useQuery(q(news.read, { params: { id } }))
  return (
    <QueryView query={article} skeleton={skeleton()}>
      {({ title, titleEn }) => (
        <NewFrom
          title={inLanguage(title, titleEn)}
          url={hrefOf('/pagesA/news/detail', { id, columnId })}
        />
      )}
    </QueryView>
  )
}

/** Due when the event begins, so that it is done before. */
function FromEvent({ id }: { id: string }) {
  const { startsAt } = useSearch('/msgCenter/pages/task/addtodo')
  const { timeZone } = useSystem()
  const event = useQuery(
    q(schedule.read, { params: { id }, query: { ...(startsAt && { startsAt }) } }),
  )
  return (
    <QueryView query={event} skeleton={skeleton()}>
      {({ title, titleEn, allDay, ...found }) => (
        <NewFrom
          title={inLanguage(title, titleEn)}
          url={hrefOf('/pages/shedul/shedulDetail', { id, startsAt: found.startsAt })}
          due={{
            day: dayIn(new Date(found.startsAt), allDay ? found.timeZone : timeZone),
            time: formatTime(found.startsAt, timeZone),
            allDay,
          }}
        />
      )}
    </QueryView>
  )
}

type NewFromProps = {
  title: string
  /** a page of the portal */
  url: string
  due?: Pick<Draft, 'day' | 'time' | 'allDay'>
}

function NewFrom({ title, url, due }: NewFromProps) {
  // Start only once, to keep later input.
  const begin = useRef(() => {})
  begin.current = () => {
    if (getDraft().source?.url === url) return
    clearDraft()
    const name = title.slice(0, 200)
    changeDraft({ title: name, source: { title: name, url }, ...due })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it is of something else
  useEffect(() => begin.current(), [url])
  return <TodoForm />
}

function TodoForm() {
  const draft = useDraft()
  const { timeZone } = useSystem()
  const [issues, setIssues] = useState<Record<string, string>>({})
  const done = ({ id }: { id: string }) => {
    toast(m.todos_is_saved())
    clearDraft()
    if (draft.id) back()
    else redirect('/msgCenter/pages/task/personalDetail', { id })
  }
  const failed = (error: { code: string; fields?: Record<string, string> }) => {
    if (error.code === 'todo.changed_meanwhile') {
      // The draft takes over what was saved elsewhere.
      invalidate(todos.read)
      return true
    }
    setIssues(error.fields ?? {})
    const hasShownField = ['title', 'dueLocal'].some((field) => error.fields?.[field])
    return hasShownField
  }
  const create = useAction(todos.create, { invalidates: changedTodos, done, failed })
  const update = useAction(todos.update, { invalidates: changedTodos, done, failed })
  function save() {
    if (!draft.title.trim()) return setIssues({ title: m.todos_needs_title() })
    const body = bodyOf(draft, timeZone)
    if (draft.id)
      update.mutate({ params: { id: draft.id }, body: { version: draft.version, ...body } })
    else
      create.mutate({
        body: { key: draft.key, ...body, ...(draft.source && { source: draft.source }) },
      })
  }
  const change = (values: Partial<Draft>) => {
    setIssues({})
    changeDraft(values)
  }
  return (
    <form
      className="todo-form stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Card>
        <div className="todo-fields">
          <Field
            label={m.todos_title_field()}
            value={draft.title}
            onValue={(title) => change({ title })}
            maxLength={200}
            {...(issues.title && { error: issues.title })}
          />
          <TextArea
            label={m.todos_note()}
            value={draft.note}
            onValue={(note) => change({ note })}
            maxLength={5000}
            rows={3}
          />
          {draft.source ? (
            <p className="muted">{m.todos_source({ title: draft.source.title })}</p>
          ) : null}
        </div>
      </Card>
      <WhenCard draft={draft} issue={issues.dueLocal} change={change} />
      <RemindersAndExecutors draft={draft} />
      <Card title={m.todos_steps()}>
        <Steps steps={draft.steps} onSteps={(steps) => change({ steps })} />
      </Card>
      <Card>
        <Field
          label={m.todos_tags()}
          value={draft.tags.join(' ')}
          onValue={(text) => change({ tags: text.split(' ') })}
          hint={m.todos_tags_hint()}
          maxLength={200}
        />
      </Card>
      <Button type="submit" wide busy={create.isPending || update.isPending}>
        {m.todos_save()}
      </Button>
      {draft.title || draft.note ? (
        <DraftNote
          onDiscard={() => {
            const isChange = draft.id !== ''
            clearDraft()
            if (isChange) back()
          }}
        />
      ) : null}
    </form>
  )
}

type WhenCardProps = {
  draft: Draft
  issue: string | undefined
  change: (values: Partial<Draft>) => void
}

/** The date, and the fields that require one. */
function WhenCard({ draft, issue, change }: WhenCardProps) {
  return (
    <Card>
      <div className="todo-fields">
        <DateField
          label={m.todos_day()}
          value={draft.day}
          onValue={(day) => change(day ? { day } : { day, repeat: 'none', reminders: [] })}
          {...(issue && { error: issue })}
        />
        {draft.day ? (
          <>
            <Switch
              label={m.todos_all_day()}
              checked={draft.allDay}
              onChange={(allDay) => change({ allDay })}
            />
            {draft.allDay ? null : (
              <Field
                label={m.todos_time()}
                type="time"
                value={draft.time}
                onValue={(time) => change({ time })}
                required
              />
            )}
            <SelectField
              label={m.todos_repeat()}
              value={draft.repeat}
              onValue={(repeat) => change({ repeat: repeat as Draft['repeat'] })}
            >
              {Object.entries(repeatName).map(([value, name]) => (
                <option key={value} value={value}>
                  {name()}
                </option>
              ))}
            </SelectField>
          </>
        ) : null}
      </div>
    </Card>
  )
}

/** Link to the screens for choosing them. */
function RemindersAndExecutors({ draft }: { draft: Draft }) {
  return (
    <RowList>
      <li>
        <Link className="list-row" to="/msgCenter/pages/task/addReminderTime">
          <RowContent
            icon="bell"
            leads
            value={
              draft.reminders.length > 0
                ? draft.reminders.map(reminderName).join(m.todos_separator())
                : m.todos_none_short()
            }
          >
            {m.todos_reminders_title()}
          </RowContent>
        </Link>
      </li>
      <li>
        <Link className="list-row" to="/msgCenter/pages/task/addExecutor">
          <RowContent
            icon="people"
            leads
            value={
              draft.executors.length > 0
                ? draft.executors.map(({ name }) => name).join(m.todos_separator())
                : m.todos_only_me()
            }
          >
            {m.todos_executors_title()}
          </RowContent>
        </Link>
      </li>
    </RowList>
  )
}

const bodyOf = (draft: Draft, timeZone: string) => ({
  title: draft.title.trim(),
  note: draft.note,
  dueLocal: draft.day ? `${draft.day}T${draft.allDay ? '23:59' : draft.time}` : '',
  timeZone,
  allDay: draft.day !== '' && draft.allDay,
  repeat: draft.repeat,
  tags: [...new Set(draft.tags.map((tag) => tag.trim().slice(0, 20)).filter(Boolean))].slice(0, 10),
  reminders: draft.reminders,
  steps: draft.steps
    .map(({ text, done }) => ({ text: text.trim(), done }))
    .filter(({ text }) => text),
  executors: draft.executors.map(({ accountName, mayFinish }) => ({ accountName, mayFinish })),
})

type StepsProps = { steps: Draft['steps']; onSteps: (steps: Draft['steps']) => void }

function Steps({ steps, onSteps }: StepsProps) {
  return (
    <div className="todo-fields">
      {steps.map((step, index) => (
        // Steps have no identity but their index.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={index} className="todo-step-field">
          <Field
            label={m.todos_step({ number: index + 1 })}
            value={step.text}
            onValue={(text) =>
              onSteps(steps.map((one, at) => (at === index ? { ...one, text } : one)))
            }
            maxLength={200}
          />
          <IconButton
            label={m.todos_step_remove({ number: index + 1 })}
            onClick={() => onSteps(steps.filter((_, at) => at !== index))}
          >
            <Icon name="trash" />
          </IconButton>
        </div>
      ))}
      {steps.length < maxTodoSteps ? (
        <Button kind="plain" onClick={() => onSteps([...steps, { text: '', done: false }])}>
          {m.todos_step_add()}
        </Button>
      ) : null}
    </div>
  )
}
