import { getLanguage } from '#lib/language.ts'
import { openAddress } from '#shell/navigation/navigation.ts'

/**
 * What the service worker's notifications need from a page: the language, and navigation to a tapped notification's
 * target.
 */
export function serveNotifications() {
  const { serviceWorker } = navigator
  if (!serviceWorker) return () => {}
  storeLanguage().catch(() => {})
  const listen = ({ data }: MessageEvent) => {
    const { atrium, url } = (data ?? {}) as { atrium?: string; url?: string }
    if (atrium === 'open' && url?.startsWith('/')) openAddress(url)
  }
  serviceWorker.addEventListener('message', listen)
  return () => serviceWorker.removeEventListener('message', listen)
}

/** Stored where a worker can read it. */
async function storeLanguage() {
  const cache = await caches.open('atrium-language')
  await cache.put('/language', new Response(getLanguage()))
}

/** Closes the notifications whose messages were read; `all`: every one. */
export async function clearNotifications(read: readonly string[] | 'all') {
  const registration = await navigator.serviceWorker?.getRegistration()
  const shown = (await registration?.getNotifications()) ?? []
  for (const notification of shown) {
    const { ids = [] } = (notification.data ?? {}) as { ids?: string[] }
    if (read === 'all' || ids.every((id) => read.includes(id))) notification.close()
  }
}

/** After sign-out: closes all notifications and unsubscribes this browser from push. */
export async function unsubscribeFromPush() {
  await clearNotifications('all')
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}
