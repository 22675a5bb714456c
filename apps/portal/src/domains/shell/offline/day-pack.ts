import { news } from '@atrium/contract/content/news'
import { eCard } from '@atrium/contract/member/e-card'
import { personalSources } from '@atrium/contract/member/personal-sources'
import { home } from '@atrium/contract/shell/home'
import { calendars } from '@atrium/contract/work/calendars'
import { messages } from '@atrium/contract/work/messages'
import { type Occurrence, schedule } from '@atrium/contract/work/schedule'
import { tasks } from '@atrium/contract/work/tasks'
import { todos } from '@atrium/contract/work/todos'
import { dayIn } from '@atrium/rules/day-in'
import type { FetchInfiniteQueryOptions, FetchQueryOptions } from '@tanstack/react-query'
import { storePayCodes } from '#domains/member/e-card/pay-codes.ts'
import { addDays, gridOf, monthOf } from '#domains/work/schedule/days.ts'
import { deletePack } from '#lib/delete-pack.ts'
import { packedAt, startPack } from '#lib/pack.ts'
import { pages, q, queryClient } from '#lib/queries.ts'
import { getSession, onSession } from '#lib/session.ts'
import { savesData, whenIdle } from '#lib/when-idle.ts'
import { getTimeZone } from '#shell/config.ts'
import { cachePages } from './cache-pages.ts'

/** Milliseconds between two rounds while the page is visible. */
const interval = 5 * 60_000
/** Number of entries per list whose details are available offline. */
const maxDetails = 12
/** Articles and messages rarely change, and are refetched when opened. */
const longFreshness = 12 * 3_600_000

let lastFillAt = 0
let isRunning = false

/** Starts filling the pack when the browser is idle, and again whenever the page is visible after a while. */
export function startDayPack() {
  // The previous member may have signed out without this page being notified.
  if (!getSession()) deletePack()
  const fillIfDue = () => {
    if (document.visibilityState === 'visible' && Date.now() - lastFillAt > interval)
      whenIdle(() => void fill())
  }
  fillIfDue()
  setInterval(fillIfDue, interval)
  document.addEventListener('visibilitychange', fillIfDue)
  addEventListener('online', fillIfDue)
  onSession(() => {
    lastFillAt = 0
    fillIfDue()
  })
}

async function fill() {
  if (isRunning || !getSession() || !navigator.onLine) return
  isRunning = true
  lastFillAt = Date.now()
  try {
    await startPack(queryClient)
    if (savesData()) return
    await cachePages()
    await fetchLists()
    await fetchDetails()
    await storePayCodes()
  } catch {
    // The next round tries again.
  } finally {
    isRunning = false
  }
}

/** Skips what is already packed: most starts follow shortly after another one. */
async function prefetch<T>(options: FetchQueryOptions<T>, maxAge: number) {
  if ((await packedAt(options.queryKey)) < Date.now() - maxAge)
    await queryClient.prefetchQuery({ ...options, staleTime: interval })
}
async function prefetchList<T>(
  options: FetchInfiniteQueryOptions<T, Error, T, unknown[], string | null>,
) {
  if ((await packedAt(options.queryKey)) < Date.now() - interval)
    await queryClient.prefetchInfiniteQuery({ ...options, staleTime: interval })
}

/** Today and tomorrow, cards, messages and tasks, with the same queries as their screens. */
async function fetchLists() {
  await prefetch(q(home.read), interval)
  // In the member's zone, as on the schedule screen; in the institution's until home has been read.
  const zone = queryClient.getQueryData(q(home.read).queryKey)?.timeZone ?? getTimeZone()
  const today = dayIn(Date.now(), zone)
  for (const month of new Set([today, addDays(today, 1)].map(monthOf))) {
    const days = gridOf(month)
    const query = { from: days[0] ?? '', to: days[41] ?? '' }
    await prefetch(q(schedule.events, { query }), interval)
  }
  await prefetch(q(calendars.settings), longFreshness)
  await prefetch(q(messages.apps), interval)
  await prefetch(q(tasks.counts), interval)
  await prefetch(q(personalSources.eCard), interval)
  await prefetch(q(eCard.uses), interval)
  await prefetchList(pages(tasks.list, { query: { level: 'myTodo' } }))
  await prefetchList(pages(todos.list, { query: { finished: false } }))
  const apps = queryClient.getQueryData(q(messages.apps).queryKey) ?? []
  const first = [...apps].sort((a, b) => b.unreadCount - a.unreadCount).slice(0, 6)
  for (const { appId } of first) await prefetchList(pages(messages.list, { query: { appId } }))
}

/** The details behind the entries of lists, wherever the list was shown. */
async function fetchDetails() {
  const homeAnswer = queryClient.getQueryData(q(home.read).queryKey)
  for (const id of cachedIds(messages.list.path, maxDetails * 2))
    await prefetch(q(messages.read, { query: { id } }), longFreshness)
  for (const id of [...idsOf(homeAnswer?.todo), ...cachedIds(tasks.list.path, maxDetails)])
    await prefetch(q(tasks.read, { params: { id } }), interval)
  for (const id of cachedIds(todos.list.path, maxDetails))
    await prefetch(q(todos.read, { params: { id } }), interval)
  for (const { id, startsAt } of nextEvents())
    await prefetch(q(schedule.read, { params: { id }, query: { startsAt } }), longFreshness)
  for (const id of [...idsOf(homeAnswer?.news), ...cachedIds(news.list.path, maxDetails * 2)]) {
    const options = q(news.read, { params: { id } })
    await prefetch(options, longFreshness)
    const article = queryClient.getQueryData(options.queryKey)
    if (article) cachePictures(JSON.stringify(article))
  }
}

/** The ids in cached lists of this address, newest list first. */
function cachedIds(path: string, limit: number) {
  const answers = queryClient
    .getQueryCache()
    .findAll({ queryKey: [`GET ${path}`] })
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  const ids = answers.flatMap(({ state }) => idsOf(state.data))
  return [...new Set(ids)].slice(0, limit)
}

type ListAnswer = { list?: { id?: unknown }[]; pages?: { list?: { id?: unknown }[] }[] } | undefined
function idsOf(data: unknown): string[] {
  const { list, pages } = (data ?? {}) as NonNullable<ListAnswer>
  const rows = list ?? pages?.[0]?.list ?? []
  return rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
}

/** Events from one day ago to two days ahead. */
function nextEvents(): Pick<Occurrence, 'id' | 'startsAt'>[] {
  const until = new Date(Date.now() + 48 * 3_600_000).toISOString()
  const from = new Date(Date.now() - 24 * 3_600_000).toISOString()
  const events = queryClient
    .getQueryCache()
    .findAll({ queryKey: [`GET ${schedule.events.path}`] })
    .flatMap(({ state }) => (state.data as { list?: Occurrence[] } | undefined)?.list ?? [])
    .filter(({ startsAt }) => startsAt > from && startsAt < until)
  return [...new Map(events.map((one) => [one.id + one.startsAt, one])).values()].slice(
    0,
    maxDetails * 2,
  )
}

/** Loads pictures of our own origin through the service worker, which caches them. */
function cachePictures(text: string) {
  if (!navigator.serviceWorker?.controller) return
  const found = text.match(/\/(?:thumbor|files)\/[^"'\\?\s<>]+/g) ?? []
  for (const address of new Set(found)) new Image().src = address
}
