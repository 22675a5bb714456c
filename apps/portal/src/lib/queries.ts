import type { Endpoint, Input, Reply } from '@atrium/contract/define'
import { personal } from '@atrium/contract/member/personal'
import { personalSources } from '@atrium/contract/member/personal-sources'
import { services } from '@atrium/contract/services/services'
import { config } from '@atrium/contract/shell/config'
import { home } from '@atrium/contract/shell/home'
import {
  type DataTag,
  hashKey,
  type InfiniteData,
  infiniteQueryOptions,
  QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import { ApiError, buildUrl, call, type InputArgs, type RequestParts } from './api.ts'
import { deletePack, packMark } from './delete-pack.ts'
import { takeArrivedAnswer } from './early-answers.ts'
import { getSession } from './session.ts'
import {
  draftPrefix,
  keysWith,
  outboxPrefix,
  readText,
  remove,
  removeAll,
  uploadPrefix,
  writeText,
  writingPrefix,
} from './storage.ts'

/**
 * Answers of the first screens are also stored on the device, so that a start can show the last ones with their time.
 * Public answers are stored as plain text, a member's encrypted, in the day pack.
 */
const storedEndpoints: readonly Endpoint[] = [
  config.system,
  home.read,
  services.overview,
  personal.me,
  personalSources.overview,
]
/** The answer is not specific to a member. */
const isPublic = (endpoint: Endpoint) => endpoint.access === 'public' || !getSession()

/** Query options of an endpoint: `useQuery(q(news.read, { params: { id } }))`. The key derives from the endpoint. */
export function q<E extends Endpoint>(endpoint: E, ...[input]: InputArgs<E>) {
  const queryKey = queryKeyOf(endpoint, input)
  const isStored = storedEndpoints.includes(endpoint)
  /** What is known when the query is first used. */
  let known: { at: number; data: Reply<E> } | undefined
  return queryOptions({
    queryKey,
    queryFn: ({ signal }): Promise<Reply<E>> => {
      if (isStored && !isPublic(endpoint)) void showPackedAnswer(queryKey)
      return call(endpoint, input, signal).catch((error) => fallBackToPacked(queryKey, error))
    },
    initialData: (): Reply<E> | undefined => {
      known = takeArrived(endpoint, input)
      if (isStored && isPublic(endpoint)) known ??= readStored<Reply<E>>(queryKey)
      return known?.data
    },
    initialDataUpdatedAt: () => known?.at,
    ...(isStored && { meta: { storedEndpoint: endpoint } }),
  })
}

/** The answer to a request made while the app was loading. */
function takeArrived<E extends Endpoint>(endpoint: E, input: unknown) {
  if (endpoint.method !== 'GET') return undefined
  const { params, query } = (input ?? {}) as RequestParts
  return takeArrivedAnswer(
    buildUrl(endpoint.path, params, query),
    getSession()?.token ?? null,
    endpoint.access === 'public',
  ) as { at: number; data: Reply<E> } | undefined
}

type Cursored = { nextCursor: string | null }

/** Options of a list paginated by cursor: `useInfiniteQuery(pages(news.list, { query: { columnId } }))`. */
export function pages<E extends Endpoint>(endpoint: E, ...[input]: InputArgs<E>) {
  const query = (input as { query?: object } | undefined)?.query
  const queryKey = [...queryKeyOf(endpoint, input), 'pages']
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }): Promise<Reply<E>> => {
      const part = pageParam
        ? { ...(input as object), query: { ...query, cursor: pageParam } }
        : input
      return call(endpoint, part as Input<E>, signal).catch((error) =>
        fallBackToPacked(queryKey, error),
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last as Cursored).nextCursor,
  })
}

type Numbered = { pageNo: number; pageSize: number; total: number }

/** Options of a list paginated by page number: `useInfiniteQuery(numberedPages(sessions.log))`. */
export function numberedPages<E extends Endpoint>(endpoint: E, ...[input]: InputArgs<E>) {
  const query = (input as { query?: object } | undefined)?.query
  return infiniteQueryOptions({
    queryKey: [...queryKeyOf(endpoint, input), 'pages'],
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
      // Treat offline as a failure, so that the page reports it instead of waiting silently.
      networkMode: 'always',
      retry: (failures, error) => failures < 1 && error instanceof ApiError && error.isTransient,
      // A query that failed for a transient reason recovers by itself.
      refetchInterval: ({ state }) =>
        state.error instanceof ApiError && state.error.isTransient ? 10_000 : false,
    },
    mutations: { networkMode: 'always' },
  },
})

queryClient.getQueryCache().subscribe(({ type, query }) => {
  const endpoint = query.meta?.storedEndpoint as Endpoint | undefined
  // An answer that was there from the beginning is not an update.
  if ((type !== 'added' && type !== 'updated') || !endpoint) return
  if (query.state.status !== 'success' || !isPublic(endpoint)) return
  const { data, dataUpdatedAt: at } = query.state
  if (readStored(query.queryKey)?.at !== at)
    writeText(storageKey(query.queryKey), JSON.stringify({ at, data }))
})

/** Shows the last start's answer until the server has answered. If the server has painted home, that is newer. */
async function showPackedAnswer(queryKey: QueryKey) {
  if (readText(packMark) === null || document.querySelector('.painted')) return
  if (queryClient.getQueryData(queryKey) === undefined) await setPackedAnswer(queryKey)
}

async function setPackedAnswer(queryKey: QueryKey) {
  const packed = await import('./pack.ts')
    .then(({ readPacked }) => readPacked(queryKey))
    .catch(() => undefined)
  if (packed && queryClient.getQueryData(queryKey) === undefined)
    queryClient.setQueryData(queryKey, packed.data, { updatedAt: packed.at })
}

/**
 * If the server did not answer, shows the last answer from the day pack, if any, with its time; the failure is shown
 * beside it.
 */
async function fallBackToPacked(queryKey: QueryKey, error: unknown): Promise<never> {
  const isOut = error instanceof ApiError && (error.status === 0 || error.status >= 500)
  if (isOut && getSession() && queryClient.getQueryData(queryKey) === undefined)
    await setPackedAnswer(queryKey)
  throw error
}

/** Called when the account changes: nothing of the previous one may be shown. */
export function clearAnswers() {
  queryClient.clear()
  deletePack()
  removeAll('kept:')
  removeAll(outboxPrefix)
  removeAll(draftPrefix)
  removeAll(writingPrefix)
  removeAll(uploadPrefix)
  // Its address may contain search terms.
  remove('lastPageRoute')
  remove('lastPageAt')
  remove('totalCount')
  remove('cache_taskNum')
  remove('platFormConfig')
  remove('opnePageList')
  remove('fenliuInfo')
}

/** A chunk of the app failed to load, according to the messages of browsers and `ChunkLoadError`. */
export const isChunkLoadFailure = (error: unknown) =>
  /import.* module|page code: /i.test(String(error))

/**
 * Deletes stored answers, since the crash may come from an answer of an older version; the next start asks the server.
 * Not while offline or if code failed to load: then the copies are all there is. Keeps what the member has written.
 */
export function clearStoredAnswers(error: unknown) {
  if (!navigator.onLine || isChunkLoadFailure(error)) return
  removeAll('kept:')
  deletePack()
}

/**
 * Invalidates every query of these endpoints, whatever its input. A first read that is still running may return the
 * state before the change, so it begins again.
 */
export function invalidate(...endpoints: Endpoint[]) {
  for (const endpoint of endpoints) {
    const queryKey = queryKeyOf(endpoint).slice(0, 1)
    for (const query of queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }))
      if (query.state.data === undefined && query.isActive()) void query.cancel({ silent: true })
    void queryClient.invalidateQueries({ queryKey })
  }
}

/**
 * Sets the cached answer after a change. A running read may still return the state before the change, so it is
 * cancelled, except for the first one, without which there would be nothing to show.
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

/** Removes items from the cached pages of a list, whatever its input. */
export function removeFromPages<T>(endpoint: Endpoint, isRemoved: (item: T) => boolean) {
  queryClient.setQueriesData<InfiniteData<{ list: T[] }>>(
    {
      queryKey: queryKeyOf(endpoint).slice(0, 1),
      predicate: ({ queryKey }) => queryKey[2] === 'pages',
    },
    (before) =>
      before && {
        ...before,
        pages: before.pages.map((page) => ({
          ...page,
          list: page.list.filter((item) => !isRemoved(item)),
        })),
      },
  )
}

const queryKeyOf = (endpoint: Endpoint, input?: unknown): QueryKey => [
  `${endpoint.method} ${endpoint.path}`,
  input ?? {},
]
const storageKey = (key: QueryKey) => `kept::${hashKey(key)}`

// Older versions stored members' answers unencrypted; delete them.
for (const key of keysWith('kept:')) if (/^kept:[^:]+:\[/.test(key)) remove(key)

function readStored<T>(key: QueryKey): { at: number; data: T } | undefined {
  const text = readText(storageKey(key))
  if (text === null) return undefined
  try {
    const stored = JSON.parse(text)
    if (typeof stored.at === 'number') return stored
  } catch {
    // fall through to the removal
  }
  remove(storageKey(key))
  return undefined
}
