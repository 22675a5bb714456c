import type { Db } from '#platform/database/db.ts'
import { extension } from '#platform/extension.ts'

/** A member's action on a task of an engine. */
export type HandledTask = {
  taskId: string
  stepId: string
  /** who acted */
  accountId: string
  /** whose step it is: another account if a delegate acted */
  ownerId: string
  action: string
  comment: string
  form: Record<string, string>
}

/**
 * An area with tasks of its own. `handled` is called in the transaction that handles a step, with the task locked, and
 * may refuse.
 */
export const taskEngines = extension<{
  code: string
  handled: (db: Db, handled: HandledTask) => Promise<void>
}>()
