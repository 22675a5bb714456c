import './tasks.css'
import type { Reply } from '@atrium/contract/define'
import type { tasks } from '@atrium/contract/work/tasks'
import { dayAndClock } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { Icon } from '#ui/media/icon.tsx'

type Records = Reply<typeof tasks.records>

/** Who handled a task when, first to last; the last one may still be waiting. */
export function TaskRecords({ records }: { records: Records }) {
  return (
    <ol className="task-records">
      {records.map(({ id, person, step, action, comment, at }) => (
        <li key={id} className={at ? 'task-record' : 'task-record task-record-waiting'}>
          <span className="task-record-mark">
            <Icon name={at ? 'check' : 'clock'} />
          </span>
          <div className="task-record-text">
            <p className="task-record-head">
              <b>{step}</b>
              <span className="muted num">{at ? dayAndClock(at) : m.tasks_waiting()}</span>
            </p>
            <p className="muted">{[person, action].filter(Boolean).join(' · ')}</p>
            {comment ? <p className="task-comment">{comment}</p> : null}
          </div>
        </li>
      ))}
    </ol>
  )
}
