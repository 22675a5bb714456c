import type { FeedbackSummary } from '@atrium/contract/member/feedback'
import { m } from '#paraglide/messages.js'
import { Pill } from '#ui/pill.tsx'

const states = {
  waiting: { name: m.feedback_waiting, tone: 'amber' },
  handling: { name: m.feedback_handling, tone: 'orange' },
  answered: { name: m.feedback_answered, tone: 'green' },
  closed: { name: m.feedback_closed, tone: 'blue' },
} as const

/** The state of a feedback. */
export function StatePill({ state }: Pick<FeedbackSummary, 'state'>) {
  const { name, tone } = states[state]
  return <Pill tone={tone}>{name()}</Pill>
}
