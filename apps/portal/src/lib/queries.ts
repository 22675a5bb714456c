import type { Endpoint, Input, Reply } from '@atrium/contract/define'
import { personal } from '@atrium/contract/member/personal'
import { personalSources } from '@atrium/contract/member/personal-sources'
import { services } from '@atrium/contract/services/services'
import { config } from '@atrium/contract/shell/config'
import { home } from '@atrium/contract/shell/home'
import {
  type DataTag,
  hashKey,
  infiniteQueryOptions,
  QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import { ApiError, call, type Given } from './api.ts'
import { forgetPack, packMark } from './forget-pack.ts'
import { getSession } from './session.ts'
import {
  draftPrefix,
  keysWith,
  readText,
  remove,
  removeAll,
  waitingPrefix,
  writeText,
} from './storage.ts'

/**
 * The first screens also stand on the device, so that a start shows the last answers with their time. What everybody may see
 * lies there as it is; a member's is encrypted, in the day pack.
 */
const kept: readonly Endpoint[] = [
  config.system,
  home.read,
  services.overview,
  personal.me,
  personalSources.overview,
]
/** What a member is told is the same as what everybody is. */
const isPublic = (endpoint: Endpoint) => endpoint.access === 'public' || !getSession()

/** How a query of an endpoint is made: `useQuery(q(news.read, { params: { id } }))`. The key derives from the endpoint. */
export function q<E extends Endpoint>(endpoint: E, ...[input]: Given<E>) {
  const queryKey = keyOf(endpoint, input)
  return queryOptions({
    queryKey,
    queryFn: ({ signal }): Promise<Reply<E>> => {
      if (kept.includes(endpoint) && !isPublic(endpoint)) void showPacked(queryKey)
      return call(endpoint, input, signal).catch((error) => takePacked(queryKey, error))
    },
    ...(kept.includes(endpoint) && {
      meta: { kept: endpoint },
      initialData: () => (isPublic(endpoint) ? readKept<Reply<E>>(queryKey)?.data : undefined),
      initialDataUpdatedAt: () => (isPublic(endpoint) ? readKept(queryKey)?.at : undefined),
    }),
  })
}

type Cursored = { nextCursor: string | null }

/** A list that goes on: `useInfiniteQuery(pages(news.list, { query: { columnId } }))`. */
export function pages<E extends Endpoint>(endpoint: E, ...[input]: Given<E>) {
  const query = (input as { query?: object } | undefined)?.query
  const queryKey = [...keyOf(endpoint, input), 'pages']
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }): Promise<Reply<E>> => {
      const part = pageParam
        ? { ...(input as object), query: { ...query, cursor: pageParam } }
        : input
      return call(endpoint, part as Input<E>, signal).catch((error) => takePacked(queryKey, error))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last as Cursored).nextCursor,
  })
}

type Numbered = { pageNo: number; pageSize: number; total: number }

/** A list that is counted: `useInfiniteQuery(numberedPages(sessions.log))`. */
export function numberedPages<E extends Endpoint>(endpoint: E, ...[input]: Given<E>) {
  const query = (input as { query?: object } | undefined)?.query
  return infiniteQueryOptions({
    queryKey: [...keyOf(endpoint, input), 'pages'],
    queryFn: ({ signal, pageParam }): Promise<Reply<E>> =>
      call(
        endpoint,
        { ...(input as object), query: { ...query, pageNo: pageParam } } as Input<E>,
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam(last) {
      const { pageNo, pageSize, total } = last as Numbered
      return pageNo * pageSize < total ? pageNo + 1 : null
    },
  })
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 30 * 60_000,
      // Offline counts as a failure: the page then says so, instead of waiting in silence.
      networkMode: 'always',
      retry: (failures, error) => failures < 1 && error instanceof ApiError && error.passing,
      // A page that failed for a passing reason recovers by itself.
      refetchInterval: ({ state }) =>
        state.error instanceof ApiError && state.error.passing ? 10_000 : false,
    },
    mutations: { networkMode: 'always' },
  },
})

queryClient.getQueryCache().subscribe(({ type, query }) => {
  const endpoint = query.meta?.kept as Endpoint | undefined
  if (type !== 'updated' || !endpoint || query.state.status !== 'success') return
  if (!isPublic(endpoint)) return
  const { data, dataUpdatedAt: at } = query.state
  if (readKept(query.queryKey)?.at !== at)
    writeText(keptAt(query.queryKey), JSON.stringify({ at, data }))
})

/** What the last start was told is shown until the server has answered. Where the server has painted home, that is newer. */
async function showPacked(queryKey: QueryKey) {
  if (readText(packMark) === null || document.querySelector('.painted')) return
  if (queryClient.getQueryData(queryKey) === undefined) await setPacked(queryKey)
}

async function setPacked(queryKey: QueryKey) {
  const packed = await import('./pack.ts')
    .then(({ readPacked }) => readPacked(queryKey))
    .catch(() => undefined)
  if (packed && queryClient.getQueryData(queryKey) === undefined)
    queryClient.setQueryData(queryKey, packed.data, { updatedAt: packed.at })
}

/**
 * The server did not answer: what it said the last time, if the day pack has it, is shown with its time, and the failure is told
 * beside it.
 */
async function takePacked(queryKey: QueryKey, error: unknown): Promise<never> {
  const isOut = error instanceof ApiError && (error.status === 0 || error.status >= 500)
  if (isOut && getSession() && queryClient.getQueryData(queryKey) === undefined)
    await setPacked(queryKey)
  throw error
}

/** Another member, or none, is here now: nothing of the one before may show. */
export function forgetAnswers() {
  queryClient.clear()
  forgetPack()
  removeAll('kept:')
  removeAll(waitingPrefix)
  removeAll(draftPrefix)
  remove('totalCount')
  remove('cache_taskNum')
  remove('platFormConfig')
  remove('opnePageList')
  remove('fenliuInfo')
}

/** A part of the app did not come, as browsers and `ChunkLoadError` say it. */
export const isCodeMissing = (error: unknown) => /import.* module|page code: /i.test(String(error))

/**
 * What the device keeps may be what the app broke on: an answer to an older version. The next start asks the server. Not where
 * it could not be asked, or where code did not come: then the copies are all there is.
 */
export function forgetKept(error: unknown) {
  if (!navigator.onLine || isCodeMissing(error)) return
  removeAll('kept:')
  forgetPack()
}

/** Every answer of an endpoint is out of date, whatever it was asked. */
export function refresh(...endpoints: Endpoint[]) {
  for (const endpoint of endpoints)
    void queryClient.invalidateQueries({ queryKey: keyOf(endpoint).slice(0, 1) })
}

/**
 * What an answer is after a change. A read that is under way may bring it as it was before the change, and is given up; not the
 * first one, without which there would be nothing to show.
 */
export function setAnswer<T>(
  { queryKey }: { queryKey: DataTag<QueryKey, T, Error> },
  next: T | ((before: T | undefined) => T | undefined),
) {
  void queryClient.cancelQueries({
    queryKey,
    exact: true,
    predicate: ({ state }) => state.data !== undefined || typeof next !== 'function',
  })
  queryClient.setQueryData(queryKey, next)
}

const keyOf = (endpoint: Endpoint, input?: unknown): QueryKey => [
  `${endpoint.method} ${endpoint.path}`,
  input ?? {},
]
const keptAt = (key: QueryKey) => `kept::${hashKey(key)}`

// What older versions kept of members, unencrypted.
for (const key of keysWith('kept:')) if (/^kept:[^:]+:\[/.test(key)) remove(key)

function readKept<T>(key: QueryKey): { at: number; data: T } | undefined {
  const text = readText(keptAt(key))
  if (text === null) return undefined
  try {
    const kept = JSON.parse(text)
    if (typeof kept.at === 'number') return kept
  } catch {
    // falls through to its removal
  }
  remove(keptAt(key))
  return undefined
}
