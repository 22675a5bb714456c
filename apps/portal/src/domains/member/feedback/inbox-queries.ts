import { workbench } from '@atrium/contract/content/workbench.operator'
import { feedback } from '@atrium/contract/member/feedback'
import { feedbackConsole } from '@atrium/contract/member/feedback.operator'
import type { ApiError } from '#lib/api.ts'
import { refresh } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'

/** What is out of date once an operator has done something with feedback. */
export const receivedChanged = [
  feedbackConsole.list,
  feedbackConsole.counts,
  feedbackConsole.read,
  feedbackConsole.kinds,
  feedback.published,
  workbench.read,
]

/** And what is once the kinds are others. */
export const kindsChanged = [feedbackConsole.kinds, feedback.kinds, feedbackConsole.list]

/** Where somebody else was first, what they did is shown. @returns whether that was why it failed */
export function changedMeanwhile(error: ApiError): boolean {
  if (error.code !== 'feedback.changed_meanwhile') return false
  refresh(...receivedChanged)
  toast(m.feedback_changed_note())
  return true
}

/** The same for a kind, or for their order. */
export function kindChangedMeanwhile(error: ApiError): boolean {
  if (error.code !== 'feedback.changed_meanwhile') return false
  refresh(...kindsChanged)
  toast(m.feedback_kinds_changed())
  return true
}
