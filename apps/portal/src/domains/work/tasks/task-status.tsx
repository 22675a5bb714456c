import type { Task } from '@atrium/contract/work/tasks'
import { m } from '#paraglide/messages.js'
import { Pill } from '#ui/pill.tsx'

/** The state of a task as a label. */
export function TaskStatus({ status }: { status: Task['status'] }) {
  switch (status) {
    case 'progress':
      return <Pill tone="blue">{m.tasks_status_progress()}</Pill>
    case 'finish':
      return <Pill tone="green">{m.tasks_status_finish()}</Pill>
    case 'break':
      return <Pill tone="orange">{m.tasks_status_break()}</Pill>
    case 'hang':
      return <Pill tone="amber">{m.tasks_status_hang()}</Pill>
  }
}
