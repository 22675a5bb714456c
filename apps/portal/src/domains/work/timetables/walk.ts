import type { Place } from '@atrium/contract/shell/map'
import type { Occurrence } from '@atrium/contract/work/schedule'
import { placeOf } from '@atrium/rules/places/place-of'

type Where = Pick<Place, 'name' | 'nameEn' | 'latitude' | 'longitude'>

/** Paths are no straight lines, and people on them walk 75 metres a minute. */
const detour = 1.3
const metresAMinute = 75
/** Nobody walks further between two lessons: there is a bus. */
const maxWalk = 60
/** What ended longer ago says nothing of where somebody is. */
const maxBreak = 3 * 3_600_000

/** Whole minutes on foot from one place to another, over the surface of the Earth. */
export function minutesOnFoot(from: Where, to: Where): number {
  const radians = Math.PI / 180
  const middle = ((from.latitude + to.latitude) / 2) * radians
  const north = (to.latitude - from.latitude) * radians
  const east = (to.longitude - from.longitude) * radians * Math.cos(middle)
  return Math.ceil((Math.hypot(north, east) * 6_371_000 * detour) / metresAMinute)
}

/** What one comes from: the last that ends before this begins, not long before. */
export const before = (next: Occurrence, list: readonly Occurrence[]): Occurrence | undefined =>
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

/** How long one walks to an event, where both places are known and are not the same. */
export function walkTo(
  next: Occurrence,
  list: readonly Occurrence[],
  places: readonly Where[],
): { from: Where; minutes: number } | undefined {
  const from = placeOf(before(next, list)?.location ?? '', places)
  const to = placeOf(next.location, places)
  if (!from || !to || from === to) return undefined
  const minutes = minutesOnFoot(from, to)
  return minutes <= maxWalk ? { from, minutes } : undefined
}
