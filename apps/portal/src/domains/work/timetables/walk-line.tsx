import './timetables.css'
import type { Occurrence } from '@atrium/contract/work/schedule'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Icon } from '#ui/media/icon.tsx'
import { usePlaces } from './timetables-queries.ts'
import { before, walkTo } from './walk.ts'

/** How long one walks to the next, from where one is before it; nothing where a place is not known. */
export function WalkLine({ next, list }: { next: Occurrence; list: readonly Occurrence[] }) {
  const places = usePlaces(next.location !== '' && before(next, list) !== undefined)
  const walk = walkTo(next, list, places)
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
