import { map, type Place } from '@atrium/contract/shell/map'
import { schedule } from '@atrium/contract/work/schedule'
import { useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'

export const useChanges = () => useQuery(q(schedule.changes))

/**
 * Places for computing walking times; they rarely change.
 * @param supplied places already supplied; no request is made then
 */
export function usePlaces(isEnabled: boolean, supplied: readonly Place[] | undefined) {
  const query = useQuery({
    ...q(map.places),
    enabled: isEnabled && supplied === undefined,
    staleTime: 3_600_000,
  })
  return supplied ?? query.data
}
