import {
  type SearchKind,
  type SearchReply,
  type SearchResult,
  search,
} from '@atrium/contract/discovery/search'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { call } from '#lib/api.ts'
import { numberedPages, q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'

/** Of each kind, as the page of all kinds shows them. */
export const shownOfEach = 3

/** All kinds at once. */
export const useFound = (keyWords: string, exactly: boolean, pageSize: number) =>
  useQuery({
    ...q(search.find, { query: { keyWords, pageSize, ...(exactly && { exactly }) } }),
    enabled: keyWords !== '',
    // What failed or came late is asked for by its kind.
    refetchOnWindowFocus: false,
  })

/** One kind, for which a slow source has more time. */
export const useFoundOfKind = (keyWords: string, kind: SearchKind, enabled = true) =>
  useInfiniteQuery({
    ...numberedPages(search.find, { query: { keyWords, types: kind } }),
    getNextPageParam: ({ groups }: SearchReply, _all, page) => (groups[0]?.more ? page + 1 : null),
    enabled: enabled && keyWords !== '',
    placeholderData: keepPreviousData,
  })

export const useSuggestions = (keyWords: string) =>
  useQuery({
    ...q(search.suggest, { query: { keyWords } }),
    enabled: keyWords !== '',
    placeholderData: keepPreviousData,
    // A field that suggests nothing still searches.
    retry: false,
    refetchInterval: false,
  })

export const useHotWords = () => useQuery(q(search.hot))

export const useServerHistory = () =>
  useQuery({ ...q(search.history), enabled: useSession() !== null })

/** What is opened moves up for others like the caller. Nobody waits for it, and it may fail. */
export function reportOpened(keyWords: string, { kind, id }: Pick<SearchResult, 'kind' | 'id'>) {
  if (keyWords) void call(search.opened, { body: { keyWords, kind, id } }).catch(() => undefined)
}
