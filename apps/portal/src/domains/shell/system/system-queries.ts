import { map } from '@atrium/contract/shell/map'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'

/** Places that hold these words, all of them without words. What was found before stays until the answer comes. */
export const usePlaces = (keyWords: string, enabled = true) =>
  useQuery({
    ...q(map.places, { query: { keyWords } }),
    placeholderData: keepPreviousData,
    enabled,
    staleTime: 5 * 60_000,
  })
