import { map } from '@atrium/contract/shell/map'
import { schedule } from '@atrium/contract/work/schedule'
import { useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'

export const useChanges = () => useQuery(q(schedule.changes))

/** Places, where a way between two is to be reckoned; they hardly ever change. */
export const usePlaces = (wanted: boolean) =>
  useQuery({ ...q(map.places), enabled: wanted, staleTime: 3_600_000 }).data ?? []
