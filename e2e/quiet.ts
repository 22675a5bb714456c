import { setTimeout as wait } from 'node:timers/promises'
import { live } from '@atrium/contract/work/live'
import type { BrowserContext, Page, Request } from '@playwright/test'

/**
 * A page without requests for this many ms is considered loaded. Playwright's own wait is 500 ms, in some two hundred
 * places.
 */
const quietFor = 200

/** Timeout in ms, after which the pending requests are reported. */
const maxWait = 30_000
const named = (requests: Set<Request>) => [...requests].map((one) => one.url()).join(', ')

/** @returns a function that waits until all requests made from now on have ended */
export function watchRequests(page: Page) {
  const underWay = new Set<Request>()
  let movedAt = performance.now()
  page.on('request', (request) => {
    // A new page: the end of some of the old page's requests is never reported.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) underWay.clear()
    underWay.add(request)
    movedAt = performance.now()
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => {
      underWay.delete(request)
      movedAt = performance.now()
    })
  return async (min = quietFor) => {
    const began = performance.now()
    while (underWay.size > 0 || performance.now() - movedAt < min) {
      if (performance.now() - began > maxWait) throw new Error(`still waits for ${named(underWay)}`)
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
