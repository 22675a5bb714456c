import type { Task } from '@atrium/contract/work/tasks'
import { m } from '#paraglide/messages.js'
import { Icon } from '#ui/media/icon.tsx'

/** The state of the member's last action, until the source has accepted it. */
export function OutcomeNote({ task: { lastOutcome, source } }: { task: Task }) {
  if (!lastOutcome || lastOutcome.status === 'accepted') return null
  const { action, status, reason } = lastOutcome
  const refused = status === 'refused'
  return (
    <p className={refused ? 'task-outcome task-outcome-refused' : 'task-outcome'} role="status">
      <Icon name={refused ? 'warning' : 'clock'} />
      <span>
        {refused
          ? reason
            ? m.tasks_refused_because({ action, reason })
            : m.tasks_refused({ action })
          : m.tasks_sending({ action, source })}
      </span>
    </p>
  )
}
