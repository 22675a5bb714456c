import type { Db } from '#platform/database/db.ts'
import { extension } from '#platform/extension.ts'

/** What a member did about a task of an engine. */
export type Handled = {
  taskId: string
  stepId: string
  accountId: string
  action: string
  comment: string
  form: Record<string, string>
}

/**
 * An area that drives tasks of its own. It is told in the transaction in which a step is handled, with the task locked, and
 * may refuse.
 */
export const taskEngines = extension<{
  code: string
  handled: (db: Db, handled: Handled) => Promise<void>
}>()
