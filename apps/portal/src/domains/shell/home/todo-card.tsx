import type { Home } from '@atrium/contract/shell/home'
import type { TaskLine } from '@atrium/contract/work/tasks'
import { dueText } from '#domains/work/tasks/due.ts'
import { formatNumber } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { urgentTodos } from './home-focus.ts'
import { PartFailed } from './part-failed.tsx'
import { TodoActions } from './todo-actions.tsx'

type TodoCardProps = { todo: Home['todo']; zone: string; now: number; onRetry: () => void }

/** The number of open tasks, with those due today or the first ones. */
export function TodoCard({ todo, zone, now, onRetry }: TodoCardProps) {
  const { shown, dueToday } = urgentTodos(todo?.list ?? [], now, zone)
  return (
    <Card
      title={dueToday > 0 ? m.home_todo_due({ count: dueToday }) : m.home_todo()}
      aside={
        todo && todo.total > 0 ? (
          <Link
            className="todo-more num"
            to="/pages/msgCenterTab/newtask/newtask"
            search={{ isactive: '1' }}
          >
            {m.home_todo_total({ count: formatNumber(todo.total) })}
          </Link>
        ) : null
      }
    >
      {!todo ? (
        <PartFailed onRetry={onRetry} />
      ) : todo.total === 0 ? (
        <p className="today-none">{m.home_todo_none()}</p>
      ) : (
        <ul>
          {shown.map((task) => (
            <li key={task.id}>
              <Link
                className="home-todo-row"
                to="/msgCenter/pages/task/applicationDetail"
                search={{ id: task.id }}
              >
                <span className="home-todo-title">
                  <Bilingual zh={task.title} en={task.titleEn} />
                </span>
                {task.dueAt ? <Due dueAt={task.dueAt} zone={zone} now={now} /> : null}
                <span className="muted home-todo-note" lang={userTextLang(noteOf(task))}>
                  {noteOf(task)}
                </span>
              </Link>
              <TodoActions task={task} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const noteOf = ({ source, sourceEn, note, noteEn }: TaskLine) =>
  [inLanguage(source, sourceEn), inLanguage(note, noteEn)].filter(Boolean).join(' · ')

function Due({ dueAt, zone, now }: { dueAt: string; zone: string; now: number }) {
  const { text, pressing } = dueText(dueAt, zone, new Date(now))
  return <span className={pressing ? 'todo-due num' : 'muted num'}>{text}</span>
}
