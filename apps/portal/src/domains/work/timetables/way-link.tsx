import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { usePlaces } from './timetables-queries.ts'
import { placeOf } from './walk.ts'

/** The way to a room, where the place it is in is known; its line is kept while places come. */
export function WayLink({ location }: { location: string }) {
  const places = usePlaces(true)
  const place = placeOf(location, places)
  if (!place) return places.length > 0 ? null : <span className="timetable-way" />
  const { id, latitude, longitude, name, nameEn, address, addressEn } = place
  return (
    <Link
      className="timetable-way"
      to="/open-location"
      search={{
        ...{ id, latitude, longitude, name: inLanguage(name, nameEn) },
        address: inLanguage(address, addressEn),
      }}
    >
      <Icon name="place" />
      {m.timetables_way({ place: inLanguage(name, nameEn) })}
    </Link>
  )
}
