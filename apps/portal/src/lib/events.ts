import type { EventType } from '@atrium/contract/member/events'
import { figures } from '@atrium/rules/figures'
import { ApiError } from './api.ts'
import { getSession } from './session.ts'

/** An event as stored until it is sent. */
export type TrackedEvent = {
  type: EventType
  /** milliseconds */
  at: number
  /** account of the session; empty for a visitor */
  account: string
  /** what it was done to, such as the key of a service */
  object?: string
  objectName?: string
  /** why it failed: error code and message; undefined on success */
  failure?: { type: string; detail: string }
}

type EventDetails = { object?: string; objectName?: string; failure?: unknown }

// The code for storing and sending is loaded after the first screen.
let queue: typeof import('./event-queue.ts') | undefined
const loadQueue = async () => {
  queue ??= await import('./event-queue.ts')
  return queue
}

/** Records what the member or visitor just did. Never fails; sent in batches, later if there is no network now. */
export function recordEvent(type: EventType, { failure, ...about }: EventDetails = {}) {
  const account = getSession()?.accountId ?? ''
  const event: TrackedEvent = { type, at: Date.now(), account, ...about }
  if (failure instanceof ApiError) event.failure = { type: failure.code, detail: failure.message }
  if (queue) queue.add(event)
  else
    void loadQueue().then(
      ({ add }) => add(event),
      () => {},
    )
}

/** Records a sign-in attempt that failed because of the server or the network. Cancelling it is not a failure. */
export function recordFailedSignIn(type: EventType, failure: unknown) {
  if (failure instanceof ApiError) recordEvent(type, { failure })
}

/** Sends the queue while its session still exists; waits 1.5 s at most. */
export async function sendEvents() {
  const sent = loadQueue().then(({ send }) => send())
  await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, 1500))]).catch(() => {})
}

/** Called when the page is left: records a stay of some length and sends the queue. */
export function recordExit() {
  if (performance.now() <= figures.exitEventThreshold) return
  recordEvent('outPortal')
  void queue?.send()
}
