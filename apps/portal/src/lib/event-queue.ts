import { type EventRecord, events } from '@atrium/contract/member/events'
import { config } from '@atrium/contract/shell/config'
import { figures } from '@atrium/rules/figures'
import { readFixedClock } from '@atrium/rules/fixed-zones'
import { commonHeaders } from './api.ts'
import type { TrackedEvent } from './events.ts'
import { q, queryClient } from './queries.ts'
import { randomId } from './random-id.ts'
import { liveSession } from './renewal.ts'
import { getSession } from './session.ts'
import { read, remove, write } from './storage.ts'

export type QueuedEvent = TrackedEvent & { id: string }

/** Most events to store on the device; beyond it the oldest are dropped. */
const maxQueued = 500
/** Events per request: a keepalive request sent while the page unloads is limited to 64 KB. */
const batchSize = 25
const sendDelay = 5000
const retryDelay = 60_000

/** Ids of the events being sent. The list itself is only in storage, which other tabs share. */
const inFlight = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

export function add(event: TrackedEvent) {
  if (settings()?.eventUrl === '') return
  const queue = [...readQueue(), { ...event, id: randomId() }].slice(-maxQueued)
  write('eventQueue', queue)
  if (queue.length >= batchSize) void send()
  else sendIn(sendDelay)
}

/** Sends the queue until it is empty or a request fails. Events not accepted are sent again later with the same id. */
export async function send(): Promise<void> {
  const current = settings()
  if (current?.eventUrl === '') return remove('eventQueue')
  // The system configuration (time zone, and whether events are wanted) is not known yet.
  if (!current) return sendIn(retryDelay)
  for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
    const done = await postBatch(batch, current.timeZone)
    for (const { id } of batch) inFlight.delete(id)
    if (!done) return sendIn(retryDelay)
    const doneIds = new Set(batch.map(({ id }) => id))
    const remaining = readQueue().filter(({ id }) => !doneIds.has(id))
    if (remaining.length > 0) write('eventQueue', remaining)
    else remove('eventQueue')
  }
}

/** The oldest events not being sent, all of one account, so that none is sent in another account's name. */
function takeBatch() {
  const unsent = readQueue().filter(({ id }) => !inFlight.has(id))
  const batch = unsent.filter(({ account }) => account === unsent[0]?.account).slice(0, batchSize)
  for (const { id } of batch) inFlight.add(id)
  return batch
}

/** Whether the events are done with: accepted, or refused for good. */
async function postBatch(batch: QueuedEvent[], timeZone: string): Promise<boolean> {
  // A connection attempt that hangs must not hold up the events after it.
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), figures.socketConnectTimeout)
  const isOwnSession = getSession()?.accountId === batch[0]?.account
  try {
    const session = isOwnSession ? await liveSession() : null
    const response = await fetch(events.record.path, {
      method: events.record.method,
      headers: commonHeaders(session, true),
      body: JSON.stringify(batch.map((one) => recordOf(one, timeZone))),
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

const recordOf = (event: QueuedEvent, timeZone: string): EventRecord => {
  const { id, type, at, object, objectName, failure } = event
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

const readQueue = (): QueuedEvent[] => read('eventQueue') ?? []

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
if (readQueue().length > 0) sendIn(sendDelay)
