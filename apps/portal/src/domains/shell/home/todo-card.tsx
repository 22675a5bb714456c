import type { Home } from '@atrium/contract/shell/home'
import type { TaskLine } from '@atrium/contract/work/tasks'
import { dueWords } from '#domains/work/tasks/due.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Card } from '#ui/card.tsx'
import { PartFailed } from './part-failed.tsx'

type TodoCardProps = { todo: Home['todo']; zone: string; now: number; onRetry: () => void }

/** How many tasks wait, and the two that are due first. */
export function TodoCard({ todo, zone, now, onRetry }: TodoCardProps) {
  return (
    <Card
      title={m.home_todo()}
      aside={
        todo && todo.total > 0 ? (
          <Link
            className="todo-more num"
            to="/pages/msgCenterTab/newtask/newtask"
            search={{ isactive: '1' }}
          >
            {m.home_todo_total({ count: todo.total })}
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
          {todo.list.map((task) => (
            <li key={task.id}>
              <Link
                className="todo-row"
                to="/msgCenter/pages/task/applicationDetail"
                search={{ id: task.id }}
              >
                <span className="todo-title">{task.title}</span>
                {task.dueAt ? <Due dueAt={task.dueAt} zone={zone} now={now} /> : null}
                <span className="muted todo-note">{noteOf(task)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const noteOf = ({ source, note }: TaskLine) => [source, note].filter(Boolean).join(' · ')

function Due({ dueAt, zone, now }: { dueAt: string; zone: string; now: number }) {
  const { text, pressing } = dueWords(dueAt, zone, new Date(now))
  return <span className={pressing ? 'todo-due num' : 'muted num'}>{text}</span>
}
