import type { Input, Reply } from '@atrium/contract/define'
import { home } from '@atrium/contract/shell/home'
import { taskGroups } from '@atrium/contract/work/task-groups'
import { type Task, tasks } from '@atrium/contract/work/tasks'
import type { ApiError } from '#lib/api.ts'
import { useAction } from '#shell/page/action.ts'

/** Endpoints that show the state of tasks. */
export const changed = [
  home.read,
  tasks.list,
  tasks.counts,
  tasks.sources,
  tasks.read,
  tasks.records,
  taskGroups.list,
]

/** Performs one of a task's actions. */
export const useHandle = (
  done: () => void,
  failed: (error: ApiError, input: Input<typeof tasks.handle>) => boolean,
) => useAction(tasks.handle, { invalidates: changed, done, failed })

type Outcomes = Reply<typeof tasks.batchHandle>
export const useBatchHandle = (
  done: (outcomes: Outcomes) => void,
  failed: (error: ApiError, input: Input<typeof tasks.batchHandle>) => boolean,
) => useAction(tasks.batchHandle, { invalidates: changed, done, failed })

/** Snoozes a to-do, or ends the snooze. */
export const useSnooze = (done: (task: Task) => void) =>
  useAction(tasks.snooze, { invalidates: changed, done })
