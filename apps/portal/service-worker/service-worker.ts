/// <reference lib="webworker" />
import { ExpirationPlugin } from 'workbox-expiration'
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { registerRoute, setCatchHandler } from 'workbox-routing'
import { CacheFirst, NetworkOnly } from 'workbox-strategies'
import { isScreenAddress } from './addresses.ts'

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
  new NetworkOnly({ networkTimeoutSeconds: 3 }),
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
