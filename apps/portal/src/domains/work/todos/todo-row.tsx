import type { Todo } from '@atrium/contract/work/todos'
import { useState } from 'react'
import { dueWords } from '#domains/work/tasks/due.ts'
import { ago } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { repeatName } from './words.ts'

type TodoRowProps = {
  todo: Todo
  onFinish: () => void
  onMove?: { up: (() => void) | undefined; down: (() => void) | undefined }
}

/** A to-do in a list: ticked off here, read behind it. */
export function TodoRow({ todo, onFinish, onMove }: TodoRowProps) {
  const { id, title, finishedAt, doneAt } = todo
  const isDone = finishedAt !== null || doneAt !== null
  // Ticked at once; the list follows.
  const [done, setDone] = useState(isDone)
  return (
    <li className="todo-row">
      <label className="todo-check">
        <input
          type="checkbox"
          checked={done}
          aria-label={m.todos_finish_named({ title })}
          onChange={() => {
            setDone(!done)
            onFinish()
          }}
        />
      </label>
      <Link className="todo-words" to="/msgCenter/pages/task/personalDetail" search={{ id }}>
        <span className={done ? 'todo-title todo-done' : 'todo-title'}>{title}</span>
        <Facts todo={todo} />
      </Link>
      {onMove ? (
        <span className="todo-move">
          <IconButton
            label={m.todos_up({ title })}
            disabled={!onMove.up}
            onClick={() => onMove.up?.()}
          >
            <Icon name="chevron" />
          </IconButton>
          <IconButton
            label={m.todos_down({ title })}
            disabled={!onMove.down}
            onClick={() => onMove.down?.()}
          >
            <Icon name="chevron" />
          </IconButton>
        </span>
      ) : null}
    </li>
  )
}

function Facts({ todo }: { todo: Todo }) {
  const { timeZone } = useSystem()
  const { dueAt, finishedAt, repeat, steps, stepsDone, executors, own, tags } = todo
  const due = dueAt && !finishedAt ? dueWords(dueAt, timeZone) : undefined
  const facts = [
    finishedAt ? m.todos_finished_ago({ time: ago('tasks', finishedAt) }) : '',
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
        <span key={fact}>{fact}</span>
      ))}
    </span>
  )
}
