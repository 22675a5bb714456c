/// <reference lib="webworker" />

import { isScreenAddress } from '@atrium/rules/screen-address'
import { ExpirationPlugin } from 'workbox-expiration'
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { registerRoute, setCatchHandler } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'

declare const self: ServiceWorkerGlobalScope

/** The files of the first screen, inserted by build.ts. */
declare const shellFiles: { url: string; revision: string | null }[]

/*
 * Opens the shell offline: the page, the files of its first screen, and the code of visited screens. API answers are
 * not cached here but by the app, which shows their age. A new version waits until the last page of the old one is
 * closed, so that a page in use loses no files.
 */
// Network first, with a timeout for slow networks.
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && isScreenAddress(url.pathname),
  ({ request }) => {
    const page = fetchPage(request)
    // A reload must get the newest page: the app also fetches its new version this way.
    const reloads = request.cache === 'no-cache' || request.cache === 'reload'
    return reloads ? page : Promise.race([page, rejectAfter(3000)])
  },
)
// After the route for pages: pages come from here only if the network fails.
precacheAndRoute(shellFiles, { directoryIndex: '' })
cleanupOutdatedCaches()
setCatchHandler(async ({ request }) =>
  request.mode === 'navigate' ? ((await matchPrecache('/')) ?? Response.error()) : Response.error(),
)

// Names under assets/ contain a hash of their content.
const assets = new CacheFirst({
  cacheName: 'assets',
  plugins: [new ExpirationPlugin({ maxEntries: 300, purgeOnQuotaError: true })],
})
const isAsset = (url: URL) => url.origin === location.origin && url.pathname.startsWith('/assets/')
registerRoute(({ url }) => isAsset(url), assets)

// Pictures of content that is available offline; the page deletes this cache when the session ends. Addresses with a
// query are signed for a few minutes and would never be requested again.
registerRoute(
  ({ url, request }) =>
    request.destination === 'image' &&
    url.origin === location.origin &&
    url.search === '' &&
    /^\/(thumbor|files)\//.test(url.pathname),
  new CacheFirst({
    cacheName: 'pictures',
    plugins: [
      new ExpirationPlugin({
        maxEntries: 150,
        maxAgeSeconds: 7 * 86_400,
        purgeOnQuotaError: true,
      }),
    ],
  }),
)

// The first worker takes control of the page that registered it. Later versions wait until no page is left.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

// Also caches files that a page loaded before the worker was active.
self.addEventListener('message', (event) => {
  const { atrium, urls } = (event.data ?? {}) as { atrium?: string; urls?: unknown[] }
  if (atrium !== 'keep' || !urls) return
  const assetUrls = urls.map(String).filter((url) => isAsset(new URL(url)))
  event.waitUntil(
    Promise.all(
      assetUrls.map((url) => assets.handle({ event, request: new Request(url) }).catch(() => {})),
    ),
  )
})

/** Bypasses the HTTP cache: the first release let browsers cache pages for a year. */
async function fetchPage(request: Request) {
  const response = await fetch(new Request(request, { cache: 'no-cache' }))
  // A proxy error, as during a server restart, counts as offline.
  if (response.status >= 500) throw new Error(`the page answers ${response.status}`)
  return response
}

const rejectAfter = (milliseconds: number) =>
  new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error('the page takes too long')), milliseconds),
  )

// ---- notifications ----

/** The server's push payload; texts are [Chinese, English], the English one may be empty. */
type PushMessage = {
  title: [string, string]
  body: [string, string]
  app?: [string, string]
  ids: string[]
  url: string
  urgent: boolean
}

self.addEventListener('push', (event) => {
  const message = event.data?.json() as PushMessage | undefined
  if (message) event.waitUntil(showNotification(message))
})

async function showNotification({ title, body, app, ids, url, urgent }: PushMessage) {
  const english = (await readLanguage()) === 'en'
  const text = ([zh, en]: [string, string]) => (english && en) || zh
  await self.registration.showNotification(text(title), {
    body: [app && text(app), text(body)].filter(Boolean).join('\n'),
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    lang: english ? 'en' : 'zh-CN',
    // A repeated notification for the same messages replaces the first one.
    tag: ids.join(),
    data: { ids, url },
    requireInteraction: urgent,
  })
}

/** The language stored by the page, where a worker can read it. */
async function readLanguage(): Promise<string> {
  const assetUrls = await (await caches.open('atrium-language')).match('/language')
  return (await assetUrls?.text()) ?? (navigator.language.startsWith('en') ? 'en' : 'zh')
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { url } = event.notification.data as { url: string }
  event.waitUntil(open(url))
})

/** Opens the address in an open page, or in a new one. */
async function open(url: string) {
  const pages = await self.clients.matchAll({ type: 'window' })
  const page = pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0]
  if (!page) return void (await self.clients.openWindow(url))
  await page.focus()
  page.postMessage({ atrium: 'open', url })
}

// The browser has replaced the subscription; its old endpoint tells the server whose it was.
self.addEventListener('pushsubscriptionchange', (event) => {
  const { oldSubscription, newSubscription } = event as PushSubscriptionChangeEvent
  if (oldSubscription) event.waitUntil(renewSubscription(oldSubscription, newSubscription))
})
type PushSubscriptionChangeEvent = ExtendableEvent & {
  oldSubscription: PushSubscription | null
  newSubscription: PushSubscription | null
}
async function renewSubscription(previous: PushSubscription, next: PushSubscription | null) {
  const subscription =
    next ??
    (await self.registration.pushManager.subscribe(previous.options as PushSubscriptionOptionsInit))
  const { endpoint, keys } = subscription.toJSON()
  await fetch('/message/center/api/v1/push/renew', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ oldEndpoint: previous.endpoint, subscription: { endpoint, keys } }),
  })
}
