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

/** Walking time to the next event from the previous one; renders nothing if a place is unknown. */
export function WalkLine({ next, list, places: supplied }: WalkLineProps) {
  const isEnabled = next.location !== '' && findPreviousEvent(next, list) !== undefined
  const walk = walkTo(next, list, usePlaces(isEnabled, supplied) ?? [])
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
