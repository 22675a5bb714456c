import type { Place } from '@atrium/contract/shell/map'
import type { Occurrence } from '@atrium/contract/work/schedule'
import { findPlaceOfRoom } from '@atrium/rules/places/find-place-of-room'

type NamedPoint = Pick<Place, 'name' | 'nameEn' | 'shortName' | 'latitude' | 'longitude'>

/** Paths are longer than straight lines; walking speed is 75 metres per minute. */
const detour = 1.3
const metresAMinute = 75
/** Minutes; for longer distances between two lessons people take a bus. */
const maxWalk = 60
/** An event that ended longer ago does not tell where the member is. */
const maxBreak = 3 * 3_600_000

/** Whole minutes on foot between two places. */
export function minutesOnFoot(from: NamedPoint, to: NamedPoint): number {
  const radians = Math.PI / 180
  const middle = ((from.latitude + to.latitude) / 2) * radians
  const north = (to.latitude - from.latitude) * radians
  const east = (to.longitude - from.longitude) * radians * Math.cos(middle)
  return Math.ceil((Math.hypot(north, east) * 6_371_000 * detour) / metresAMinute)
}

/** The last event that ends before this one begins, unless long before. */
export const findPreviousEvent = (
  next: Occurrence,
  list: readonly Occurrence[],
): Occurrence | undefined =>
  list
    .filter(
      ({ struck, allDay, location, endsAt }) =>
        !struck &&
        !allDay &&
        location !== '' &&
        endsAt <= next.startsAt &&
        Date.parse(next.startsAt) - Date.parse(endsAt) <= maxBreak,
    )
    .sort((a, b) => (a.endsAt < b.endsAt ? 1 : -1))[0]

/** The walking time to an event, if both places are known and differ. */
export function walkTo(
  next: Occurrence,
  list: readonly Occurrence[],
  places: readonly NamedPoint[],
): { from: NamedPoint; minutes: number } | undefined {
  const from = findPlaceOfRoom(findPreviousEvent(next, list)?.location ?? '', places)
  const to = findPlaceOfRoom(next.location, places)
  if (!from || !to || from === to) return undefined
  const minutes = minutesOnFoot(from, to)
  return minutes <= maxWalk ? { from, minutes } : undefined
}
