import type { Place } from '@atrium/contract/shell/map'
import { findPlaceOfRoom } from '@atrium/rules/places/find-place-of-room'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { usePlaces } from './timetables-queries.ts'

type DirectionsLinkProps = { location: string; places?: readonly Place[] | undefined }

/** Links to the place of a room, if known; its line is reserved while places load. */
export function DirectionsLink({ location, places: supplied }: DirectionsLinkProps) {
  const places = usePlaces(true, supplied)
  if (!places) return <span className="timetable-way" />
  const place = findPlaceOfRoom(location, places)
  if (!place) return null
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
