import { type EventRecord, events } from '@atrium/contract/member/events'
import { config } from '@atrium/contract/shell/config'
import { figures } from '@atrium/rules/figures'
import { readFixedClock } from '@atrium/rules/fixed-zones'
import { commonHeaders } from './api.ts'
import type { Happening } from './events.ts'
import { q, queryClient } from './queries.ts'
import { randomId } from './random-id.ts'
import { liveSession } from './renewal.ts'
import { getSession } from './session.ts'
import { read, remove, write } from './storage.ts'

export type Waiting = Happening & { id: string }

/** Most events to store on the device; beyond it the oldest are dropped. */
const maxWaiting = 500
/** Events per request: a keepalive request sent while the page unloads is limited to 64 KB. */
const batch = 25
const soon = 5000
const later = 60_000

/** Ids of the events being sent. The list itself is only in storage, which other tabs share. */
const onTheWay = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

export function add(happening: Happening) {
  if (settings()?.eventUrl === '') return
  const waiting = [...list(), { ...happening, id: randomId() }].slice(-maxWaiting)
  write('eventQueue', waiting)
  if (waiting.length >= batch) void send()
  else sendIn(soon)
}

/** Sends the queue until it is empty or a request fails. Events not accepted are sent again later with the same id. */
export async function send(): Promise<void> {
  const known = settings()
  if (known?.eventUrl === '') return remove('eventQueue')
  // The system configuration (time zone, and whether events are wanted) is not known yet.
  if (!known) return sendIn(later)
  for (let next = pick(); next.length > 0; next = pick()) {
    const done = await post(next, known.timeZone)
    for (const { id } of next) onTheWay.delete(id)
    if (!done) return sendIn(later)
    const gone = new Set(next.map(({ id }) => id))
    const left = list().filter(({ id }) => !gone.has(id))
    if (left.length > 0) write('eventQueue', left)
    else remove('eventQueue')
  }
}

/** The oldest events not being sent, all of one account, so that none is sent in another account's name. */
function pick() {
  const free = list().filter(({ id }) => !onTheWay.has(id))
  const next = free.filter(({ account }) => account === free[0]?.account).slice(0, batch)
  for (const { id } of next) onTheWay.add(id)
  return next
}

/** Whether the events are done with: accepted, or refused for good. */
async function post(waiting: Waiting[], timeZone: string): Promise<boolean> {
  // A connection attempt that hangs must not hold up the events after it.
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), figures.socketConnectTimeout)
  const own = getSession()?.accountId === waiting[0]?.account
  try {
    const session = own ? await liveSession() : null
    const response = await fetch(events.record.path, {
      method: events.record.method,
      headers: commonHeaders(session, true),
      body: JSON.stringify(waiting.map((one) => recordOf(one, timeZone))),
      // The page may unload during the request.
      keepalive: true,
      signal: abort.signal,
    })
    // An unread body would keep the connection busy.
    await response.text()
    const { ok, status } = response
    return ok || (status < 500 && ![401, 408, 429].includes(status))
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

const recordOf = (waiting: Waiting, timeZone: string): EventRecord => {
  const { id, type, at, object, objectName, failure } = waiting
  return {
    eventId: id,
    eventCode: type,
    eventEnvOperationTime: wallClock(at, timeZone),
    ...(object && { eventOpeartionObjectCode: object }),
    ...(objectName && { eventOpeartionObjectName: objectName.slice(0, 200) }),
    eventOpeartionResult: failure ? 'failure' : 'success',
    ...(failure && {
      eventFailureType: failure.type,
      eventFailureDetail: failure.detail.slice(0, 2000),
    }),
  }
}

/** 2026-11-23 08:05:00. The Swedish locale has the format that the record needs. */
const wallClock = (at: number, timeZone: string) =>
  readFixedClock(timeZone, at)?.toISOString().slice(0, 19).replace('T', ' ') ??
  new Date(at).toLocaleString('sv-SE', { timeZone })

function settings() {
  const system = queryClient.getQueryData(q(config.system).queryKey)
  const eventUrl = system?.publicConfig.find(({ key }) => key === 'eventUrl')?.value
  return eventUrl === undefined ? undefined : { eventUrl, timeZone: system?.timeZone ?? '' }
}

const list = (): Waiting[] => read('eventQueue') ?? []

function sendIn(milliseconds: number) {
  clearTimeout(timer)
  timer = setTimeout(() => void send(), milliseconds)
}

addEventListener('online', () => void send())
addEventListener('pagehide', () => void send())
// Users leave a phone's browser by switching apps, and often the page is never resumed.
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void send()
})
if (list().length > 0) sendIn(soon)
