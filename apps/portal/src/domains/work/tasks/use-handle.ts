import type { Reply } from '@atrium/contract/define'
import { taskGroups } from '@atrium/contract/work/task-groups'
import { type Task, tasks } from '@atrium/contract/work/tasks'
import { useAction } from '#shell/page/action.ts'

/** What shows where a task stands. */
const changed = [tasks.list, tasks.counts, tasks.read, tasks.records, taskGroups.list]

/** Does one of the actions of a task. */
export const useHandle = (done: () => void) => useAction(tasks.handle, { refresh: changed, done })

/** Marks a copy as read; whoever looks at it need not know whether that went well. */
export const useMarkRead = () =>
  useAction(tasks.handle, { refresh: [tasks.list, tasks.counts], failed: () => true })

type Outcomes = Reply<typeof tasks.batchHandle>
export const useBatchHandle = (done: (outcomes: Outcomes) => void) =>
  useAction(tasks.batchHandle, { refresh: changed, done })

/** Puts a to-do off, or takes it back. */
export const useSnooze = (done: (task: Task) => void) =>
  useAction(tasks.snooze, { refresh: changed, done })
