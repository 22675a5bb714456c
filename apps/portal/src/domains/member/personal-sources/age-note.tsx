import { formatDayAndTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { StaleNote } from '#ui/feedback/stale-note.tsx'

type Aged = { asOf?: string; stale?: boolean }

/** The age of the data, if the source system did not answer. */
export function AgeNote({ of, onRetry }: { of: Aged; onRetry: () => void }) {
  if (!of.stale || !of.asOf) return null
  return (
    <StaleNote
      text={m.personal_sources_stale({ time: formatDayAndTime(of.asOf) })}
      onRetry={onRetry}
    />
  )
}

/** The time of the data. */
export const AsOf = ({ of }: { of: Aged }) =>
  of.asOf && !of.stale ? (
    <p className="muted num sources-as-of">
      {m.personal_sources_as_of({ time: formatDayAndTime(of.asOf) })}
    </p>
  ) : null
