import './timetables.css'
import type { Place } from '@atrium/contract/shell/map'
import type { Occurrence } from '@atrium/contract/work/schedule'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Icon } from '#ui/media/icon.tsx'
import { usePlaces } from './timetables-queries.ts'
import { findPreviousEvent, walkTo } from './walk.ts'

type WalkLineProps = {
  next: Occurrence
  list: readonly Occurrence[]
  places?: readonly Place[] | undefined
}

/**
 * Walking time to the next event from the previous one; renders nothing if a place is unknown. Its line is
 * reserved while places load.
 */
export function WalkLine({ next, list, places: supplied }: WalkLineProps) {
  const isEnabled = next.location !== '' && findPreviousEvent(next, list) !== undefined
  const places = usePlaces(isEnabled, supplied)
  if (isEnabled && !places) return <span className="timetable-walk muted" />
  const walk = walkTo(next, list, places ?? [])
  if (!walk) return null
  return (
    <span className="timetable-walk muted">
      <Icon name="place" />
      {m.timetables_walk({
        count: walk.minutes,
        place: inLanguage(walk.from.name, walk.from.nameEn),
      })}
    </span>
  )
}
