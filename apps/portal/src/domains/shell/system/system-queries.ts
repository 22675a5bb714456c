import { map } from '@atrium/contract/shell/map'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'

/** Places matching the search terms; all places without terms. Keeps the previous result while loading. */
export const usePlaces = (keyWords: string, enabled = true) =>
  useQuery({
    ...q(map.places, { query: { keyWords } }),
    placeholderData: keepPreviousData,
    enabled,
    staleTime: 5 * 60_000,
  })
