import { setTimeout as wait } from 'node:timers/promises'
import { live } from '@atrium/contract/work/live'
import type { BrowserContext, Page, Request } from '@playwright/test'

/** A page that has asked for nothing this long has all it wants, ms. Playwright waits for 500, some two hundred times. */
const quietFor = 200

/** Whoever waits longer is told for what, ms. */
const maxWait = 30_000
const named = (requests: Set<Request>) => [...requests].map((one) => one.url()).join(', ')

/** @returns what waits until everything that was asked for from now on is here */
export function watchRequests(page: Page) {
  const underWay = new Set<Request>()
  let movedAt = performance.now()
  page.on('request', (request) => {
    // Another page comes: of what the one before still waited for, not every end is told.
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
 * Pages of this context open no stream of events, whose request would never end: 204 is the server's way to say so.
 * Not a route: Playwright hands the requests of a context's routes out twice while a page's own routes are removed.
 */
export const withoutStream = (context: BrowserContext) =>
  context.addInitScript((path) => {
    const { fetch } = window
    window.fetch = (input, init) =>
      String(input instanceof Request ? input.url : input).includes(path)
        ? Promise.resolve(new Response(null, { status: 204 }))
        : fetch(input, init)
  }, live.stream.path)
