import { type TaskAction, type TaskLine, tasks } from '@atrium/contract/work/tasks'
import { addToOutbox, useOutboxEntry } from '#shell/outbox.ts'
import type { Filled } from './handle-dialog.tsx'
import { changed } from './handling-queries.ts'

const aboutTask = (task: string) => `task ${task}`

/** A task's action that is not sent yet. */
export const useWaitingAction = (task: string) => useOutboxEntry(aboutTask(task))

/**
 * Stores an action until it can no longer be undone, or until there is a network.
 * @returns whether it could be stored
 */
export const storeAction = (
  { id, title }: Pick<TaskLine, 'id' | 'title'>,
  { code, text, textEn }: TaskAction,
  key: string,
  filled: Filled,
  options: { undoable?: boolean; draft?: string } = {},
): boolean =>
  addToOutbox({
    key,
    about: aboutTask(id),
    title,
    action: { text, textEn },
    endpoint: tasks.handle,
    input: { params: { id }, body: { action: code, key, ...filled } },
    refreshes: changed,
    ...options,
  })
