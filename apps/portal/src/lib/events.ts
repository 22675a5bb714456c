import type { EventType } from '@atrium/contract/member/events'
import { figures } from '@atrium/rules/figures'
import { ApiError } from './api.ts'
import { getSession } from './session.ts'

/** What somebody did, as it is kept until it is sent. */
export type Happening = {
  type: EventType
  /** milliseconds */
  at: number
  /** whose session it was; empty: a visitor's */
  account: string
  /** what it was done to: the key of a service, say */
  object?: string
  objectName?: string
  /** why it failed: the name of the error and its words; it went well without */
  failure?: { type: string; detail: string }
}

type About = { object?: string; objectName?: string; failure?: unknown }

// Sending and keeping come after the first screen.
let queue: typeof import('./event-queue.ts') | undefined
const loading = async () => {
  queue ??= await import('./event-queue.ts')
  return queue
}

/** Records what the member or visitor just did. Never fails; sent in batches, also later when there is no network now. */
export function recordEvent(type: EventType, { failure, ...about }: About = {}) {
  const account = getSession()?.accountId ?? ''
  const happening: Happening = { type, at: Date.now(), account, ...about }
  if (failure instanceof ApiError)
    happening.failure = { type: failure.code, detail: failure.message }
  if (queue) queue.add(happening)
  else
    void loading().then(
      ({ add }) => add(happening),
      () => {},
    )
}

/** A try to sign in that the server, or the way to it, refused. What one breaks off oneself is no failure. */
export function recordFailedSignIn(type: EventType, failure: unknown) {
  if (failure instanceof ApiError) recordEvent(type, { failure })
}

/** Sends what waits while the session that it belongs to is still there; does not wait long. */
export async function sendEvents() {
  const sent = loading().then(({ send }) => send())
  await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, 1500))]).catch(() => {})
}

/** For the moment the page is left: recorded after a stay of some length, and sent on the way out. */
export function recordExit() {
  if (performance.now() <= figures.exitEventThreshold) return
  recordEvent('outPortal')
  void queue?.send()
}
