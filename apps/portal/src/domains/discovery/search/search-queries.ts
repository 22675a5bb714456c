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

/** Results per kind on the page of all kinds. */
export const resultsPerKind = 3

/** Searches all kinds in one request. */
export const useSearchAll = (keyWords: string, exactly: boolean, pageSize: number) =>
  useQuery({
    ...q(search.find, { query: { keyWords, pageSize, ...(exactly && { exactly }) } }),
    enabled: keyWords !== '',
    // Kinds that failed or were late are fetched separately.
    refetchOnWindowFocus: false,
  })

/** Searches one kind, which gives a slow source more time. */
export const useSearchKind = (keyWords: string, kind: SearchKind, enabled = true) =>
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
    // Searching works without suggestions.
    retry: false,
    refetchInterval: false,
  })

export const useHotWords = () => useQuery(q(search.hot))

export const useServerHistory = () =>
  useQuery({ ...q(search.history), enabled: useSession() !== null })

/** Reports an opened result, which ranks it higher for similar users. Fire and forget. */
export function reportOpened(keyWords: string, { kind, id }: Pick<SearchResult, 'kind' | 'id'>) {
  if (keyWords) void call(search.opened, { body: { keyWords, kind, id } }).catch(() => undefined)
}
