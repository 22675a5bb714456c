import type { Endpoint, Input } from '@atrium/contract/define'
import { tasks } from '@atrium/contract/work/tasks'
import { useSyncExternalStore } from 'react'
import { ApiError, address, call, commonHeaders } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { refresh } from '#lib/queries.ts'
import { getSession, onSession } from '#lib/session.ts'
import { keysWith, readText, remove, waitingPrefix, writeText } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'

type Address = Pick<Endpoint, 'method' | 'path' | 'access'>

/** Something a member did that is kept on the device until it is sent: until it can no longer be undone, or until there is a network. */
export type Outgoing = {
  /** names it, however often it is sent */
  key: string
  account: string
  at: number
  /** what it is about: `task 12` */
  about: string
  title: string
  /** what was done, as its button says */
  action: { text: string; textEn: string }
  endpoint: Address
  input: object
  /** what it makes out of date */
  refreshes: readonly Address[]
  /** not sent before, in milliseconds of the device's clock */
  from: number
  /** it was sent while the page was left: whether it arrived is not known, and it is sent again */
  away?: true
  /** it was tried, and there was no network */
  late?: true
  /** what the server said when it refused it, in words */
  refusal?: string
}

/** What can be undone waits so long: as long as the toast that offers it. */
export const undoTime = 8000
/** On one device at most; further ones have to wait for the network before the button. */
const maxWaiting = 100
const again = 30_000
let timer: ReturnType<typeof setTimeout> | undefined
let current = readAll()
const listeners = new Set<() => void>()

/** Each stands under a key of its own: tabs that write at the same moment take nothing from one another. */
const placeOf = (key: string) => `${waitingPrefix}${key}`
const put = (one: Outgoing) => {
  writeText(placeOf(one.key), JSON.stringify(one))
  reread()
}
const drop = (key: string) => {
  remove(placeOf(key))
  reread()
}

/** Before there was anything but tasks to keep. */
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

/** Those of whoever is signed in, first to last. */
function readAll(): readonly Outgoing[] {
  const account = getSession()?.accountId
  return keysWith(waitingPrefix)
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

/** Undone by a tap, so long. A clock that was put back makes nothing wait longer. */
const isHeld = ({ from }: Outgoing) => {
  const left = from - Date.now()
  return left > 0 && left <= undoTime
}

export type Sendable<E extends Endpoint> = Pick<Outgoing, 'about' | 'title' | 'action' | 'key'> & {
  endpoint: E
  input: Input<E>
  refreshes: readonly Endpoint[]
  /** It waits until it can no longer be undone; otherwise it is sent when there is a network again. */
  undoable?: boolean
}

/** Keeps something to be sent. @returns whether it could */
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
  // A little later: what is held is over by then.
  sendIn(undoable ? undoTime + 50 : again)
  return true
}
function addressOf({ method, path, access }: Address): Address {
  return { method, path, access }
}

/** One tab at a time sends, and what is taken back is not being sent. */
const inOneTab = (work: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request('atrium-waiting-actions', work) : work()

/** Takes back what was not sent, or puts away what was refused. */
export const takeBack = (key: string) =>
  inOneTab(async () => {
    const known = readOne(placeOf(key))
    if (!known || known.away) return toast(m.shell_outbox_gone())
    drop(key)
    if (!known.refusal) toast(m.shell_outbox_taken_back())
  })

/**
 * Sends what waits, first to last, until nothing is left or there is no network.
 * @param all also what could still be undone
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
    // Signed out meanwhile: it is nobody's any more.
    if (!readOne(placeOf(key))) return true
    if (!(error instanceof ApiError) || error.passing || error.status === 401) {
      put({ ...one, from: 0, late: true })
      return false
    }
    put({ ...one, from: 0, refusal: error.message })
  }
  refresh(...(refreshes as Endpoint[]))
  return true
}

/**
 * Sends what could still be undone while the page is left, where nothing can be waited for. It stays until a later start has
 * the answer: what goes through the outbox does nothing when it is sent twice.
 */
function sendAway() {
  const session = getSession()
  for (const one of readAll().filter(isHeld)) {
    const { endpoint, input } = one
    const { params, body } = input as { params?: Record<string, unknown>; body?: unknown }
    put({ ...one, from: 0, away: true })
    fetch(address(endpoint.path, params), {
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
// The page may not come back: nothing is left to a timer.
addEventListener('pagehide', sendAway)
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') sendAway()
})
addEventListener('storage', ({ key }) => {
  if (key !== null && !key.startsWith(waitingPrefix)) return
  const before = current
  reread()
  // Another tab has sent it, perhaps.
  const gone = before.filter(({ key }) => !current.some((one) => one.key === key))
  refresh(...(gone.flatMap(({ refreshes }) => refreshes) as Endpoint[]))
  if (current.length > 0) sendIn(undoTime + 1000)
})
onSession(reread)
if (current.length > 0) void sendOutgoing()
