import type { TaskLine } from '@atrium/contract/work/tasks'
import { RowButtons } from '#domains/work/task-handling/row-buttons.tsx'
import { useTaskMenu } from '#domains/work/task-handling/task-menu.tsx'
import { useWaitingAction } from '#domains/work/task-handling/waiting-actions.ts'
import { formatRelativeTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { OutboxLine } from '#shell/page/outbox-line.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { useKeptFocus } from '#ui/kept-focus.ts'
import { useLongPress } from '#ui/long-press.ts'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { SwipeRow } from '#ui/swipe-row.tsx'
import { dueText } from './due.ts'
import type { Level } from './levels.ts'
import { TaskStatus } from './task-status.tsx'

/**
 * A task in the list of a level; the actions for a to-do are behind its button, a swipe and a long press. Renders an
 * `li`.
 */
export function TaskRow({ task, level }: { task: TaskLine; level: Level }) {
  if (level === 'myTodo') return <TodoRow task={task} />
  const to =
    level === 'myDraft' && task.isApplication
      ? '/msgCenter/pages/task/apply'
      : level === 'myDone'
        ? '/msgCenter/pages/task/doneDetail'
        : detail
  return (
    <li>
      <Link to={to} search={{ id: task.id }} className="task-line">
        <TaskRowText task={task} level={level} />
      </Link>
    </li>
  )
}
const detail = '/msgCenter/pages/task/applicationDetail'

function TodoRow({ task }: { task: TaskLine }) {
  const { act, open, swipes, sheets } = useTaskMenu(task, { waits: true, handles: true })
  const press = useLongPress(open)
  const waiting = useWaitingAction(task.id)
  const keptFocus = useKeptFocus()
  return (
    <li {...press}>
      <SwipeRow actions={swipes}>
        <div className="task-row">
          <Link to={detail} search={{ id: task.id }} className="task-line">
            <TaskRowText task={task} level="myTodo" />
          </Link>
          <IconButton
            label={m.tasks_more_of({ name: inLanguage(task.title, task.titleEn) })}
            onClick={open}
          >
            <Icon name="more" />
          </IconButton>
        </div>
        {waiting || task.actions.length > 0 ? (
          <div className="task-row-act" {...keptFocus}>
            {waiting ? <OutboxLine entry={waiting} /> : <RowButtons task={task} onAct={act} />}
          </div>
        ) : null}
      </SwipeRow>
      {sheets}
    </li>
  )
}

/** The text of a task's row. */
export function TaskRowText({ task, level }: { task: TaskLine; level: Level }) {
  return (
    <>
      <span className="task-line-title two-lines">
        <Bilingual zh={task.title} en={task.titleEn} />
      </span>
      <span className="task-line-time">
        <TaskTime task={task} level={level} />
      </span>
      <span className="task-line-facts">
        {task.urgent && level === 'myTodo' ? <Pill tone="orange">{m.tasks_urgent()}</Pill> : null}
        {level === 'myTodo' || level === 'myDraft' ? null : <TaskStatus status={task.status} />}
        <Outcome task={task} />
        {task.onBehalfOf ? (
          <Pill tone="green">
            {m.tasks_for({ name: inLanguage(task.onBehalfOf, task.onBehalfOfEn) })}
          </Pill>
        ) : null}
        <span>
          <Bilingual zh={task.source} en={task.sourceEn} />
          {task.note ? ' · ' : null}
          <Bilingual zh={task.note} en={task.noteEn} />
        </span>
      </span>
    </>
  )
}

/** The state of the member's last action, unless settled. */
function Outcome({ task: { outcome, doneAt } }: { task: TaskLine }) {
  if (outcome === 'sending') return <Pill tone="blue">{m.tasks_outcome_sending()}</Pill>
  if (outcome === 'refused' && !doneAt)
    return <Pill tone="orange">{m.tasks_outcome_refused()}</Pill>
  return null
}

/** The due time of a to-do, the completion time of a done task, the creation time of others. */
function TaskTime({ task, level }: { task: TaskLine; level: Level }) {
  const { timeZone } = useSystem()
  if (level === 'myTodo') {
    if (!task.dueAt) return <span className="num">{m.tasks_no_due()}</span>
    const { text, pressing } = dueText(task.dueAt, timeZone)
    return <span className={pressing ? 'num task-pressing' : 'num'}>{text}</span>
  }
  return <span className="num">{formatRelativeTime('tasks', task.doneAt ?? task.createdAt)}</span>
}
