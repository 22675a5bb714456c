/// <reference lib="webworker" />

import { isScreenAddress } from '@atrium/rules/screen-address'
import { ExpirationPlugin } from 'workbox-expiration'
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { registerRoute, setCatchHandler } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'

/** The files of the first screen, as build.ts found them. */
declare const shellFiles: { url: string; revision: string | null }[]

/*
 * The shell opens without a network: the page itself, what its first screen needs, and the code of screens one has been to.
 * Answers of the API are not kept here but by the app, which says how old they are. A new version waits until the last page
 * of the old one is closed: nothing is taken from under a page that is being used.
 */
// The newest page where there is a network; a slow one is not waited for.
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && isScreenAddress(url.pathname),
  ({ request }) => {
    const page = newestPage(request)
    // Whoever reloads wants the newest: that is also how the app fetches a new version of itself.
    const reloads = request.cache === 'no-cache' || request.cache === 'reload'
    return reloads ? page : Promise.race([page, failsAfter(3000)])
  },
)
// After the rule for pages: a page that can be fetched is not taken from here.
precacheAndRoute(shellFiles, { directoryIndex: '' })
cleanupOutdatedCaches()
setCatchHandler(async ({ request }) =>
  request.mode === 'navigate' ? ((await matchPrecache('/')) ?? Response.error()) : Response.error(),
)

// Names under assets/ carry a hash of their content.
registerRoute(
  ({ url }) => url.origin === location.origin && url.pathname.startsWith('/assets/'),
  new CacheFirst({
    cacheName: 'assets',
    plugins: [new ExpirationPlugin({ maxEntries: 300, purgeOnQuotaError: true })],
  }),
)

/** Asks the server whatever the browser keeps: the first release let it keep pages for a year. */
async function newestPage(request: Request) {
  const response = await fetch(new Request(request, { cache: 'no-cache' }))
  // A proxy whose server is being replaced is no better than no network.
  if (response.status >= 500) throw new Error(`the page answers ${response.status}`)
  return response
}

const failsAfter = (milliseconds: number) =>
  new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error('the page takes too long')), milliseconds),
  )
