import { m } from '#paraglide/messages.js'
import { Pill } from '#ui/pill.tsx'
import type { ArticleLine } from './workbench-queries.ts'

const states = {
  draft: { text: m.editorial_state_draft, tone: 'blue' },
  review: { text: m.editorial_state_review, tone: 'amber' },
  refused: { text: m.editorial_state_refused, tone: 'orange' },
  approved: { text: m.editorial_state_approved, tone: 'green' },
} as const
const showings = {
  never: undefined,
  scheduled: { text: m.editorial_scheduled, tone: 'amber' },
  shown: { text: m.editorial_shown, tone: 'green' },
  withdrawn: { text: m.editorial_withdrawn, tone: 'orange' },
} as const

/** State of the newest version, and what members see. */
export function StatePills({ state, showing }: Pick<ArticleLine, 'state' | 'showing'>) {
  const visibility = showings[showing]
  // For an approved version, the publication state says enough.
  const stateText = visibility && state === 'approved' ? undefined : states[state]
  return (
    <>
      {visibility ? <Pill tone={visibility.tone}>{visibility.text()}</Pill> : null}
      {stateText ? <Pill tone={stateText.tone}>{stateText.text()}</Pill> : null}
    </>
  )
}
