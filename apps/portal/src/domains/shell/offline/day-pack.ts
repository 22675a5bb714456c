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
import { keepPayCodes } from '#domains/member/e-card/pay-codes.ts'
import { addDays, gridOf, monthOf } from '#domains/work/schedule/days.ts'
import { deletePack } from '#lib/forget-pack.ts'
import { packedAt, startPack } from '#lib/pack.ts'
import { pages, q, queryClient } from '#lib/queries.ts'
import { getSession, onSession } from '#lib/session.ts'
import { savesData, whenIdle } from '#lib/when-idle.ts'
import { getTimeZone } from '#shell/config.ts'
import { keepPages } from './kept-pages.ts'

/** Milliseconds between two rounds while the page is visible. */
const every = 5 * 60_000
/** Number of entries per list whose details are available offline. */
const opened = 12
/** Articles and messages rarely change, and are refetched when opened. */
const settled = 12 * 3_600_000

let last = 0
let running = false

/** Starts filling the pack when the browser is idle, and again whenever the page is visible after a while. */
export function keepDayPack() {
  // The previous member may have signed out without this page being notified.
  if (!getSession()) deletePack()
  const look = () => {
    if (document.visibilityState === 'visible' && Date.now() - last > every)
      whenIdle(() => void fill())
  }
  look()
  setInterval(look, every)
  document.addEventListener('visibilitychange', look)
  addEventListener('online', look)
  onSession(() => {
    last = 0
    look()
  })
}

async function fill() {
  if (running || !getSession() || !navigator.onLine) return
  running = true
  last = Date.now()
  try {
    await startPack(queryClient)
    if (savesData()) return
    await keepPages()
    await fetchLists()
    await fetchWhatTheyLeadTo()
    await keepPayCodes()
  } catch {
    // The next round tries again.
  } finally {
    running = false
  }
}

/** Skips what is already packed: most starts follow shortly after another one. */
async function keep<T>(options: FetchQueryOptions<T>, fresh: number) {
  if ((await packedAt(options.queryKey)) < Date.now() - fresh)
    await queryClient.prefetchQuery({ ...options, staleTime: every })
}
async function keepList<T>(
  options: FetchInfiniteQueryOptions<T, Error, T, unknown[], string | null>,
) {
  if ((await packedAt(options.queryKey)) < Date.now() - every)
    await queryClient.prefetchInfiniteQuery({ ...options, staleTime: every })
}

/** Today and tomorrow, cards, messages and tasks, with the same queries as their screens. */
async function fetchLists() {
  await keep(q(home.read), every)
  // In the member's zone, as on the schedule screen; in the institution's until home has been read.
  const zone = queryClient.getQueryData(q(home.read).queryKey)?.timeZone ?? getTimeZone()
  const today = dayIn(zone, Date.now())
  for (const month of new Set([today, addDays(today, 1)].map(monthOf))) {
    const days = gridOf(month)
    const query = { from: days[0] ?? '', to: days[41] ?? '' }
    await keep(q(schedule.events, { query }), every)
  }
  await keep(q(calendars.settings), settled)
  await keep(q(messages.apps), every)
  await keep(q(tasks.counts), every)
  await keep(q(personalSources.eCard), every)
  await keep(q(eCard.uses), every)
  await keepList(pages(tasks.list, { query: { level: 'myTodo' } }))
  await keepList(pages(todos.list, { query: { finished: false } }))
  const apps = queryClient.getQueryData(q(messages.apps).queryKey) ?? []
  const first = [...apps].sort((a, b) => b.unreadCount - a.unreadCount).slice(0, 6)
  for (const { appId } of first) await keepList(pages(messages.list, { query: { appId } }))
}

/** The details behind the entries of lists, wherever the list was shown. */
async function fetchWhatTheyLeadTo() {
  const shown = queryClient.getQueryData(q(home.read).queryKey)
  for (const id of listed(messages.list.path, opened * 2))
    await keep(q(messages.read, { query: { id } }), settled)
  for (const id of [...idsOf(shown?.todo), ...listed(tasks.list.path, opened)])
    await keep(q(tasks.read, { params: { id } }), every)
  for (const id of listed(todos.list.path, opened))
    await keep(q(todos.read, { params: { id } }), every)
  for (const { id, startsAt } of nextEvents())
    await keep(q(schedule.read, { params: { id }, query: { startsAt } }), settled)
  for (const id of [...idsOf(shown?.news), ...listed(news.list.path, opened * 2)]) {
    const options = q(news.read, { params: { id } })
    await keep(options, settled)
    const article = queryClient.getQueryData(options.queryKey)
    if (article) keepPictures(JSON.stringify(article))
  }
}

/** The ids in cached lists of this address, newest list first. */
function listed(path: string, limit: number) {
  const answers = queryClient
    .getQueryCache()
    .findAll({ queryKey: [`GET ${path}`] })
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  const ids = answers.flatMap(({ state }) => idsOf(state.data))
  return [...new Set(ids)].slice(0, limit)
}

type Listed = { list?: { id?: unknown }[]; pages?: { list?: { id?: unknown }[] }[] } | undefined
function idsOf(data: unknown): string[] {
  const { list, pages } = (data ?? {}) as NonNullable<Listed>
  const rows = list ?? pages?.[0]?.list ?? []
  return rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
}

/** Events from one day ago to two days ahead. */
function nextEvents(): Pick<Occurrence, 'id' | 'startsAt'>[] {
  const until = new Date(Date.now() + 48 * 3_600_000).toISOString()
  const from = new Date(Date.now() - 24 * 3_600_000).toISOString()
  const found = queryClient
    .getQueryCache()
    .findAll({ queryKey: [`GET ${schedule.events.path}`] })
    .flatMap(({ state }) => (state.data as { list?: Occurrence[] } | undefined)?.list ?? [])
    .filter(({ startsAt }) => startsAt > from && startsAt < until)
  return [...new Map(found.map((one) => [one.id + one.startsAt, one])).values()].slice(
    0,
    opened * 2,
  )
}

/** Loads pictures of our own origin through the service worker, which caches them. */
function keepPictures(text: string) {
  if (!navigator.serviceWorker?.controller) return
  const found = text.match(/\/(?:thumbor|files)\/[^"'\\?\s<>]+/g) ?? []
  for (const address of new Set(found)) new Image().src = address
}
