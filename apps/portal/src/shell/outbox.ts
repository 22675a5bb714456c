import type { Endpoint, Input } from '@atrium/contract/define'
import { tasks } from '@atrium/contract/work/tasks'
import { useSyncExternalStore } from 'react'
import { ApiError, buildUrl, call, commonHeaders } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { invalidate } from '#lib/queries.ts'
import { getSession, onSession } from '#lib/session.ts'
import { keysWith, outboxPrefix, readText, remove, writeText } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'

type Address = Pick<Endpoint, 'method' | 'path' | 'access'>

/**
 * A member's action stored on the device until it is sent: when it can no longer be undone, or when there is a network.
 */
export type Outgoing = {
  /** idempotency key, the same however often it is sent */
  key: string
  account: string
  at: number
  /** subject, such as `task 12` */
  about: string
  title: string
  /** what was done, as on its button */
  action: { text: string; textEn: string }
  endpoint: Address
  input: object
  /** endpoints to invalidate */
  refreshes: readonly Address[]
  /** earliest time to send, in ms of the device's clock */
  from: number
  /** sent while leaving the page: arrival is unknown, so it is sent again */
  away?: true
  /** a previous attempt found no network */
  late?: true
  /** the server's message when it refused */
  refusal?: string
}

/** How long an action can be undone, in ms: as long as the toast offers it. */
export const undoTime = 8000
/** Per device; further actions need a network. */
const maxWaiting = 100
const again = 30_000
let timer: ReturnType<typeof setTimeout> | undefined
let current = readAll()
const listeners = new Set<() => void>()

/** Each action has its own storage key, so that tabs writing at the same time do not overwrite each other. */
const placeOf = (key: string) => `${outboxPrefix}${key}`
const put = (one: Outgoing) => {
  writeText(placeOf(one.key), JSON.stringify(one))
  reread()
}
const drop = (key: string) => {
  remove(placeOf(key))
  reread()
}

/** The format from when only tasks could be stored. */
type Older = Pick<Outgoing, 'key' | 'account' | 'at' | 'title' | 'refusal'> & {
  task: string
  action: { code: string; text: string; textEn: string }
  filled: object
}
const ofOlder = (stored: Outgoing | Older): Outgoing =>
  'filled' in stored
    ? {
        ...stored,
        about: `task ${stored.task}`,
        endpoint: addressOf(tasks.handle),
        input: {
          params: { id: stored.task },
          body: { action: stored.action.code, key: stored.key, ...stored.filled },
        },
        refreshes: [tasks.list, tasks.counts, tasks.read].map(addressOf),
        from: 0,
        late: true,
      }
    : stored

function readOne(place: string): Outgoing | undefined {
  try {
    const one = ofOlder(JSON.parse(readText(place) ?? ''))
    return typeof one.about === 'string' && typeof one.endpoint.path === 'string' ? one : undefined
  } catch {
    return undefined
  }
}

/** The actions of the signed-in account, oldest first. */
function readAll(): readonly Outgoing[] {
  const account = getSession()?.accountId
  return keysWith(outboxPrefix)
    .flatMap((place) => readOne(place) ?? [])
    .filter((one) => one.account === account)
    .sort((a, b) => a.at - b.at)
}

function reread() {
  current = readAll()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
export const useAllOutgoing = () => useSyncExternalStore(subscribe, () => current)
export const useOutgoing = (about: string) => useAllOutgoing().find((one) => one.about === about)

/** Whether it can still be undone. Setting the clock back must not make an action wait longer. */
const isHeld = ({ from }: Outgoing) => {
  const left = from - Date.now()
  return left > 0 && left <= undoTime
}

export type Sendable<E extends Endpoint> = Pick<Outgoing, 'about' | 'title' | 'action' | 'key'> & {
  endpoint: E
  input: Input<E>
  refreshes: readonly Endpoint[]
  /** Wait until it can no longer be undone; otherwise it is sent when the network is back. */
  undoable?: boolean
}

/** Stores an action to be sent. @returns whether it could be stored */
export function keepOutgoing<E extends Endpoint>(given: Sendable<E>): boolean {
  const account = getSession()?.accountId
  if (!account || current.length >= maxWaiting) return false
  const { about, title, action, key, endpoint, input, refreshes, undoable } = given
  const at = Date.now()
  put({
    ...{ key, account, at, about, title, action, input: input as object },
    endpoint: addressOf(endpoint),
    refreshes: refreshes.map(addressOf),
    from: undoable ? at + undoTime : at,
    ...(!undoable && { late: true }),
  })
  // Slightly later, so that the hold is over by then.
  sendIn(undoable ? undoTime + 50 : again)
  return true
}
function addressOf({ method, path, access }: Address): Address {
  return { method, path, access }
}

/** Only one tab sends at a time, and an action being sent cannot be taken back. */
const inOneTab = (work: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request('atrium-waiting-actions', work) : work()

/** Takes back an action not yet sent, or dismisses a refused one. */
export const takeBack = (key: string) =>
  inOneTab(async () => {
    const known = readOne(placeOf(key))
    if (!known || known.away) return toast(m.shell_outbox_gone())
    drop(key)
    if (!known.refusal) toast(m.shell_outbox_taken_back())
  })

/**
 * Sends stored actions, oldest first, until none is left or there is no network.
 * @param all includes those that can still be undone
 */
export const sendOutgoing = (all = false) =>
  inOneTab(async () => {
    for (const { key } of readAll()) {
      // Another tab may have taken it back.
      const one = readOne(placeOf(key))
      if (!one || one.refusal || (isHeld(one) && !all)) continue
      if (!(await sent(one))) return sendIn(again)
    }
    const held = readAll().filter(isHeld)
    if (held.length > 0) sendIn(Math.min(...held.map(({ from }) => from - Date.now())) + 50)
  })

/** @returns whether the server answered */
async function sent(one: Outgoing): Promise<boolean> {
  const { key, endpoint, input, action, refreshes } = one
  try {
    await call(endpoint as Endpoint, input as Input<Endpoint>)
    drop(key)
    toast(m.shell_outbox_sent({ action: inLanguage(action.text, action.textEn) }))
  } catch (error) {
    // Signed out concurrently: the action no longer belongs to anyone.
    if (!readOne(placeOf(key))) return true
    if (!(error instanceof ApiError) || error.passing || error.status === 401) {
      put({ ...one, from: 0, late: true })
      return false
    }
    put({ ...one, from: 0, refusal: error.message })
  }
  invalidate(...(refreshes as Endpoint[]))
  return true
}

/**
 * Sends what could still be undone when the page is left, without waiting for the answer. The entry stays until a later
 * start has the answer: actions in the outbox are idempotent.
 */
function sendAway() {
  const session = getSession()
  for (const one of readAll().filter(isHeld)) {
    const { endpoint, input } = one
    const { params, body } = input as { params?: Record<string, unknown>; body?: unknown }
    put({ ...one, from: 0, away: true })
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
  timer = setTimeout(() => void sendOutgoing(), milliseconds)
}

addEventListener('online', () => void sendOutgoing())
// The page may not come back, so nothing is left to a timer.
addEventListener('pagehide', sendAway)
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') sendAway()
})
addEventListener('storage', ({ key }) => {
  if (key !== null && !key.startsWith(outboxPrefix)) return
  const before = current
  reread()
  // Another tab may have sent these.
  const gone = before.filter(({ key }) => !current.some((one) => one.key === key))
  invalidate(...(gone.flatMap(({ refreshes }) => refreshes) as Endpoint[]))
  if (current.length > 0) sendIn(undoTime + 1000)
})
onSession(reread)
if (current.length > 0) void sendOutgoing()
