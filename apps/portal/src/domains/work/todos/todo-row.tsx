import type { Todo } from '@atrium/contract/work/todos'
import { type ComponentProps, useState } from 'react'
import { dueText } from '#domains/work/tasks/due.ts'
import { formatDay, formatRelativeTime } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { ActionSheet } from '#ui/feedback/action-sheet.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { useLongPress } from '#ui/long-press.ts'
import { Icon } from '#ui/media/icon.tsx'
import { MoveButtons } from '#ui/move-buttons.tsx'
import { type SwipeAction, SwipeRow } from '#ui/swipe-row.tsx'
import { repeatName } from './labels.ts'
import { postponeDays, usePostpone } from './postpone.ts'

type TodoRowProps = {
  todo: Todo
  /** when the list was loaded, in milliseconds */
  listedAt: number
  onFinish: () => void
  /** While the list is put in order. */
  place?: Omit<ComponentProps<typeof MoveButtons>, 'name'>
}

/**
 * A to-do in a list with a checkbox; a tap on the text opens it, and its button or a swipe shows actions. Renders an
 * `li`.
 */
export function TodoRow({ todo, listedAt, onFinish, place }: TodoRowProps) {
  const { id, title, own, finishedAt, doneAt } = todo
  const isDone = finishedAt !== null || doneAt !== null
  // Optimistic: ticked immediately, until the next list arrives.
  const [choice, setChoice] = useState<{ done: boolean; listedAt: number }>()
  const done = choice?.listedAt === listedAt ? choice.done : isDone
  const [sheet, setSheet] = useState<'menu' | 'later'>()
  const close = () => setSheet(undefined)
  const press = useLongPress(() => place || setSheet('menu'))
  const { timeZone } = useSystem()
  const putOff = usePostpone(todo)
  const toggle = () => {
    setChoice({ done: !done, listedAt })
    onFinish()
  }
  const actions: SwipeAction[] = [
    done
      ? { icon: 'refresh', label: m.todos_reopen(), onSelect: toggle }
      : { icon: 'check', label: m.todos_finish(), onSelect: toggle },
    ...(own && !done
      ? [{ icon: 'clock' as const, label: m.todos_later(), onSelect: () => setSheet('later') }]
      : []),
  ]
  return (
    <li {...press}>
      <SwipeRow actions={place ? [] : actions}>
        <div className="todo-row">
          <label className="todo-check">
            <input
              type="checkbox"
              checked={done}
              aria-label={m.todos_finish_named({ title })}
              onChange={toggle}
            />
          </label>
          <Link className="todo-words" to="/msgCenter/pages/task/personalDetail" search={{ id }}>
            <span
              className={done ? 'todo-title todo-done' : 'todo-title'}
              lang={userTextLang(title)}
            >
              {title}
            </span>
            <Facts todo={todo} />
          </Link>
          {place ? (
            <MoveButtons name={title} {...place} />
          ) : (
            <IconButton label={m.todos_more_of({ title })} onClick={() => setSheet('menu')}>
              <Icon name="more" />
            </IconButton>
          )}
        </div>
      </SwipeRow>
      <ActionSheet open={sheet === 'menu'} onClose={close} title={title} actions={actions} />
      <ActionSheet
        open={sheet === 'later'}
        onClose={close}
        title={m.todos_later()}
        actions={postponeDays(timeZone).map(({ label, day: to }) => ({
          icon: 'clock',
          label: `${label} · ${formatDay(new Date(`${to}T00:00:00Z`), 'UTC')}`,
          onSelect: () => putOff(to),
        }))}
      />
    </li>
  )
}

function Facts({ todo }: { todo: Todo }) {
  const { timeZone } = useSystem()
  const { dueAt, finishedAt, repeat, steps, stepsDone, executors, own, tags } = todo
  const due = dueAt && !finishedAt ? dueText(dueAt, timeZone) : undefined
  const facts = [
    finishedAt ? m.todos_finished_ago({ time: formatRelativeTime('tasks', finishedAt) }) : '',
    repeat === 'none' ? '' : repeatName[repeat](),
    steps > 0 ? `${stepsDone}/${steps}` : '',
    own
      ? executors > 0
        ? m.todos_executor_count({ count: executors })
        : ''
      : m.todos_from({ name: inLanguage(todo.owner, todo.ownerEn) }),
    ...tags.map((tag) => `#${tag}`),
  ].filter(Boolean)
  if (!due && facts.length === 0) return null
  return (
    <span className="todo-facts muted num">
      {due ? <span className={due.pressing ? 'todo-pressing' : undefined}>{due.text}</span> : null}
      {facts.map((fact) => (
        <span key={fact} lang={userTextLang(fact)}>
          {fact}
        </span>
      ))}
    </span>
  )
}
