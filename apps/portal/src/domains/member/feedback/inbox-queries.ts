import { workbench } from '@atrium/contract/content/workbench.operator'
import { feedback } from '@atrium/contract/member/feedback'
import { feedbackConsole } from '@atrium/contract/member/feedback.operator'
import type { ApiError } from '#lib/api.ts'
import { invalidate } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'

/** Endpoints to invalidate after an operator's action on feedback. */
export const receivedChanged = [
  feedbackConsole.list,
  feedbackConsole.counts,
  feedbackConsole.read,
  feedbackConsole.kinds,
  feedback.published,
  workbench.read,
]

/** Endpoints to invalidate after a change of the kinds. */
export const kindsChanged = [feedbackConsole.kinds, feedback.kinds, feedbackConsole.list]

/** If someone else changed it first, reloads and says so. @returns whether that was the reason */
export function changedMeanwhile(error: ApiError): boolean {
  if (error.code !== 'feedback.changed_meanwhile') return false
  invalidate(...receivedChanged)
  toast(m.feedback_changed_note())
  return true
}

/** The same for a kind, or for the order of kinds. */
export function kindChangedMeanwhile(error: ApiError): boolean {
  if (error.code !== 'feedback.changed_meanwhile') return false
  invalidate(...kindsChanged)
  toast(m.feedback_kinds_changed())
  return true
}
