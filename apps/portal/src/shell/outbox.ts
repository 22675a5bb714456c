import type { Endpoint, Input } from '@atrium/contract/define'
import { tasks } from '@atrium/contract/work/tasks'
import { useSyncExternalStore } from 'react'
import { ApiError, buildUrl, call, commonHeaders } from '#lib/api.ts'
import { deleteDraft } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { invalidate } from '#lib/queries.ts'
import { getSession, onSession } from '#lib/session.ts'
import { keysWith, outboxPrefix, readText, remove, writeText } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { toast, toastQuietly } from '#ui/feedback/toast.tsx'

type EndpointRef = Pick<Endpoint, 'method' | 'path' | 'access'>

/**
 * A member's action stored on the device until it is sent: when it can no longer be undone, or when there is a network.
 */
export type OutboxEntry = {
  /** idempotency key, the same however often it is sent */
  key: string
  account: string
  at: number
  /** subject, such as `task 12` */
  about: string
  title: string
  /** what was done, as on its button */
  action: { text: string; textEn: string }
  endpoint: EndpointRef
  input: object
  /** endpoints to invalidate */
  refreshes: readonly EndpointRef[]
  /** the draft of its input, deleted once it is sent */
  draft?: string
  /** earliest time to send, in ms of the device's clock */
  from: number
  /** sent while leaving the page: arrival is unknown, so it is sent again */
  away?: true
  /** a previous attempt found no network */
  late?: true
  /** the server's message when it refused */
  refusal?: string
}

/** How long an action can be undone, in ms, unless its undo is held. */
export const undoTime = 8000
/** A held action is sent after this time in ms, whether or not somebody is still there. */
const maxHold = 10 * 60_000
/** Per device; further actions need a network. */
const maxEntries = 100
const retryDelay = 30_000
let timer: ReturnType<typeof setTimeout> | undefined
let current = readEntries()
const listeners = new Set<() => void>()

/** Each action has its own storage key, so that tabs writing at the same time do not overwrite each other. */
const storageKey = (key: string) => `${outboxPrefix}${key}`
const storeEntry = (entry: OutboxEntry) => {
  writeText(storageKey(entry.key), JSON.stringify(entry))
  reload()
}
const deleteEntry = (key: string) => {
  remove(storageKey(key))
  reload()
}

/** The format from when only tasks could be stored. */
type LegacyEntry = Pick<OutboxEntry, 'key' | 'account' | 'at' | 'title' | 'refusal'> & {
  task: string
  action: { code: string; text: string; textEn: string }
  filled: object
}
const upgradeEntry = (stored: OutboxEntry | LegacyEntry): OutboxEntry =>
  'filled' in stored
    ? {
        ...stored,
        about: `task ${stored.task}`,
        endpoint: endpointRef(tasks.handle),
        input: {
          params: { id: stored.task },
          body: { action: stored.action.code, key: stored.key, ...stored.filled },
        },
        refreshes: [tasks.list, tasks.counts, tasks.read].map(endpointRef),
        from: 0,
        late: true,
      }
    : stored

function readEntry(key: string): OutboxEntry | undefined {
  try {
    const entry = upgradeEntry(JSON.parse(readText(key) ?? ''))
    return typeof entry.about === 'string' && typeof entry.endpoint.path === 'string'
      ? entry
      : undefined
  } catch {
    return undefined
  }
}

/** The actions of the signed-in account, oldest first. */
function readEntries(): readonly OutboxEntry[] {
  const account = getSession()?.accountId
  return keysWith(outboxPrefix)
    .flatMap((place) => readEntry(place) ?? [])
    .filter((one) => one.account === account)
    .sort((a, b) => a.at - b.at)
}

function reload() {
  current = readEntries()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
const getEntries = () => current
export const useOutbox = () => useSyncExternalStore(subscribe, getEntries, getEntries)
export const useOutboxEntry = (about: string) => useOutbox().find((one) => one.about === about)

/** Whether it can still be undone. Setting the clock back must not make an action wait longer. */
const isUndoable = ({ from }: OutboxEntry) => {
  const timeLeft = from - Date.now()
  return timeLeft > 0 && timeLeft <= undoTime
}

/**
 * Stops the time to undo an action, while its undo has the focus or the pointer.
 * @returns lets it run again, from its beginning
 */
export function holdInOutbox(key: string): () => void {
  const extend = () => {
    const entry = readEntry(storageKey(key))
    if (entry && !entry.refusal && isUndoable(entry))
      storeEntry({ ...entry, from: Date.now() + undoTime })
  }
  extend()
  // In steps: were this tab to end now, another start would send it soon.
  const step = setInterval(extend, undoTime / 2)
  const end = setTimeout(() => clearInterval(step), maxHold)
  return () => {
    clearInterval(step)
    clearTimeout(end)
    extend()
  }
}

export type NewOutboxEntry<E extends Endpoint> = Pick<
  OutboxEntry,
  'about' | 'title' | 'action' | 'key' | 'draft'
> & {
  endpoint: E
  input: Input<E>
  refreshes: readonly Endpoint[]
  /** Wait until it can no longer be undone; otherwise it is sent when the network is back. */
  undoable?: boolean
}

/** Stores an action to be sent. @returns whether it could be stored */
export function addToOutbox<E extends Endpoint>(newEntry: NewOutboxEntry<E>): boolean {
  const account = getSession()?.accountId
  if (!account || current.length >= maxEntries) return false
  const { about, title, action, key, endpoint, input, refreshes, draft, undoable } = newEntry
  const at = Date.now()
  storeEntry({
    ...{ key, account, at, about, title, action, input: input as object },
    endpoint: endpointRef(endpoint),
    refreshes: refreshes.map(endpointRef),
    from: undoable ? at + undoTime : at,
    ...(draft !== undefined && { draft }),
    ...(!undoable && { late: true }),
  })
  // Slightly later, so that the hold is over by then.
  sendIn(undoable ? undoTime + 50 : retryDelay)
  return true
}
function endpointRef({ method, path, access }: EndpointRef): EndpointRef {
  return { method, path, access }
}

/** Only one tab sends at a time, and an action being sent cannot be taken back. */
const inOneTab = (work: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request('atrium-waiting-actions', work) : work()

/** Takes back an action not yet sent, or dismisses a refused one. */
export const withdrawFromOutbox = (key: string) =>
  inOneTab(async () => {
    const entry = readEntry(storageKey(key))
    if (!entry || entry.away) return toast(m.shell_outbox_gone())
    deleteEntry(key)
    if (!entry.refusal) toast(m.shell_outbox_taken_back())
  })

/**
 * Sends stored actions, oldest first, until none is left or there is no network.
 * @param all includes those that can still be undone
 */
export const sendOutbox = (all = false) =>
  inOneTab(async () => {
    for (const { key } of readEntries()) {
      // Another tab may have taken it back.
      const entry = readEntry(storageKey(key))
      if (!entry || entry.refusal || (isUndoable(entry) && !all)) continue
      if (!(await sendEntry(entry))) return sendIn(retryDelay)
    }
    const undoable = readEntries().filter(isUndoable)
    if (undoable.length > 0) sendIn(Math.min(...undoable.map(({ from }) => from - Date.now())) + 50)
  })

/** @returns whether the server answered */
async function sendEntry(entry: OutboxEntry): Promise<boolean> {
  const { key, endpoint, input, action, refreshes, draft } = entry
  try {
    await call(endpoint as Endpoint, input as Input<Endpoint>)
    deleteEntry(key)
    if (draft !== undefined) deleteDraft(draft)
    toastQuietly(m.shell_outbox_sent({ action: inLanguage(action.text, action.textEn) }))
  } catch (error) {
    // Signed out concurrently: the action no longer belongs to anyone.
    if (!readEntry(storageKey(key))) return true
    if (!(error instanceof ApiError) || error.isTransient || error.status === 401) {
      storeEntry({ ...entry, from: 0, late: true })
      return false
    }
    storeEntry({ ...entry, from: 0, refusal: error.message })
  }
  invalidate(...(refreshes as Endpoint[]))
  return true
}

/**
 * Sends what could still be undone when the page is left, without waiting for the answer. The entry stays until a later
 * start has the answer: actions in the outbox are idempotent.
 */
function sendBeforeLeaving() {
  const session = getSession()
  for (const entry of readEntries().filter(isUndoable)) {
    const { endpoint, input } = entry
    const { params, body } = input as { params?: Record<string, unknown>; body?: unknown }
    storeEntry({ ...entry, from: 0, away: true })
    fetch(buildUrl(endpoint.path, params), {
      method: endpoint.method,
      headers: commonHeaders(session, true),
      body: JSON.stringify(body),
      keepalive: true,
    }).catch(() => {})
    sendIn(1000)
  }
}

function sendIn(milliseconds: number) {
  clearTimeout(timer)
  timer = setTimeout(() => void sendOutbox(), milliseconds)
}

addEventListener('online', () => void sendOutbox())
// The page may not come back, so nothing is left to a timer.
addEventListener('pagehide', sendBeforeLeaving)
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') sendBeforeLeaving()
})
addEventListener('storage', ({ key }) => {
  if (key !== null && !key.startsWith(outboxPrefix)) return
  const previous = current
  reload()
  // Another tab may have sent these.
  const removed = previous.filter(({ key }) => !current.some((one) => one.key === key))
  invalidate(...(removed.flatMap(({ refreshes }) => refreshes) as Endpoint[]))
  if (current.length > 0) sendIn(undoTime + 1000)
})
onSession(reload)
if (current.length > 0) void sendOutbox()
