import type { CourseSource } from '@atrium/contract/learning/study'
import { formatDayAndTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Icon } from '#ui/media/icon.tsx'
import { nameOf } from './labels.ts'

/** Says once, with the time of the last update, that a source could not be read and its data may be outdated. */
export function SourceNotes({ sources }: { sources: readonly CourseSource[] }) {
  const { timeZone } = useSystem()
  const stale = sources.filter((one) => one.stale)
  if (stale.length === 0) return null
  return (
    <div className="study-note" role="status">
      <Icon name="history" />
      <span>
        {stale
          .map((one) =>
            one.readAt
              ? m.study_stale({ name: nameOf(one), time: formatDayAndTime(one.readAt, timeZone) })
              : m.study_never_read({ name: nameOf(one) }),
          )
          .join(' ')}
      </span>
    </div>
  )
}
