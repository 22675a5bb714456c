import { setTimeout as wait } from 'node:timers/promises'
import { live } from '@atrium/contract/work/live'
import type { BrowserContext, Page, Request } from '@playwright/test'

/**
 * A page without requests for this many ms is considered loaded. Playwright's own wait is 500 ms, in some two hundred
 * places.
 */
const quietMs = 200

/** Timeout in ms, after which the pending requests are reported. */
const maxWait = 30_000
const urlsOf = (requests: Set<Request>) => [...requests].map((one) => one.url()).join(', ')

/** @returns a function that waits until all requests made from now on have ended */
export function watchRequests(page: Page) {
  const pending = new Set<Request>()
  let lastActivityAt = performance.now()
  page.on('request', (request) => {
    // A new page: the end of some of the old page's requests is never reported.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) pending.clear()
    pending.add(request)
    lastActivityAt = performance.now()
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => {
      pending.delete(request)
      lastActivityAt = performance.now()
    })
  return async (min = quietMs) => {
    const started = performance.now()
    while (pending.size > 0 || performance.now() - lastActivityAt < min) {
      if (performance.now() - started > maxWait)
        throw new Error(`still waits for ${urlsOf(pending)}`)
      await wait(20)
    }
  }
}

/**
 * Disables the event stream for pages of this context, as its request never ends; the server signals this with 204. Not
 * a route: Playwright emits a context's routed requests twice while a page's own routes are being removed.
 */
export const withoutStream = (context: BrowserContext) =>
  context.addInitScript((path) => {
    const { fetch } = window
    window.fetch = (input, init) =>
      String(input instanceof Request ? input.url : input).includes(path)
        ? Promise.resolve(new Response(null, { status: 204 }))
        : fetch(input, init)
  }, live.stream.path)

/**
 * Asks the app to save data, so that it prefetches nothing when idle. Filling the day pack alone takes more CPU time
 * than showing a page.
 */
export const withoutPrefetching = (context: BrowserContext) =>
  context.addInitScript(() => {
    const { connection } = navigator as { connection?: object }
    if (connection) Object.defineProperty(connection, 'saveData', { value: true })
  })

/** Both, for contexts that a test creates itself. */
export async function withoutBackgroundRequests(context: BrowserContext) {
  await withoutStream(context)
  await withoutPrefetching(context)
}
