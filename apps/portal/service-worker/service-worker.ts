/// <reference lib="webworker" />

import { isScreenAddress } from '@atrium/rules/screen-address'
import { ExpirationPlugin } from 'workbox-expiration'
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { registerRoute, setCatchHandler } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'

declare const self: ServiceWorkerGlobalScope

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
const assets = new CacheFirst({
  cacheName: 'assets',
  plugins: [new ExpirationPlugin({ maxEntries: 300, purgeOnQuotaError: true })],
})
const isAsset = (url: URL) => url.origin === location.origin && url.pathname.startsWith('/assets/')
registerRoute(({ url }) => isAsset(url), assets)

// Pictures of what can be read without a network; the page empties this when the session ends. An address with a query is signed
// for some minutes: it would never be asked for again.
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

// The first one takes over the page it came with. One that comes later waits until no page is left, and has nothing to take.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

// What a page loaded before there was a worker is kept too.
self.addEventListener('message', (event) => {
  const { atrium, urls } = (event.data ?? {}) as { atrium?: string; urls?: unknown[] }
  if (atrium !== 'keep' || !urls) return
  const kept = urls.map(String).filter((url) => isAsset(new URL(url)))
  event.waitUntil(
    Promise.all(
      kept.map((url) => assets.handle({ event, request: new Request(url) }).catch(() => {})),
    ),
  )
})

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

// ---- notifications ----

/** As the server sends it; texts are [Chinese, English], the English one perhaps empty. */
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
  if (message) event.waitUntil(show(message))
})

async function show({ title, body, app, ids, url, urgent }: PushMessage) {
  const english = (await keptLanguage()) === 'en'
  const text = ([zh, en]: [string, string]) => (english && en) || zh
  await self.registration.showNotification(text(title), {
    body: [app && text(app), text(body)].filter(Boolean).join('\n'),
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    lang: english ? 'en' : 'zh-CN',
    // The same messages again take the place of the first notification.
    tag: ids.join(),
    data: { ids, url },
    requireInteraction: urgent,
  })
}

/** The page keeps its language here, where a worker can read it. */
async function keptLanguage(): Promise<string> {
  const kept = await (await caches.open('atrium-language')).match('/language')
  return (await kept?.text()) ?? (navigator.language.startsWith('en') ? 'en' : 'zh')
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { url } = event.notification.data as { url: string }
  event.waitUntil(open(url))
})

/** In a page that is open, or in a new one. */
async function open(url: string) {
  const pages = await self.clients.matchAll({ type: 'window' })
  const page = pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0]
  if (!page) return void (await self.clients.openWindow(url))
  await page.focus()
  page.postMessage({ atrium: 'open', url })
}

// The browser has replaced the subscription; its old address tells the server whose it was.
self.addEventListener('pushsubscriptionchange', (event) => {
  const { oldSubscription, newSubscription } = event as PushSubscriptionChangeEvent
  if (oldSubscription) event.waitUntil(renew(oldSubscription, newSubscription))
})
type PushSubscriptionChangeEvent = ExtendableEvent & {
  oldSubscription: PushSubscription | null
  newSubscription: PushSubscription | null
}
async function renew(old: PushSubscription, next: PushSubscription | null) {
  const subscription =
    next ??
    (await self.registration.pushManager.subscribe(old.options as PushSubscriptionOptionsInit))
  const { endpoint, keys } = subscription.toJSON()
  await fetch('/message/center/api/v1/push/renew', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ oldEndpoint: old.endpoint, subscription: { endpoint, keys } }),
  })
}
