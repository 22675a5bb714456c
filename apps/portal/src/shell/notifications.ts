import { getLanguage } from '#lib/language.ts'
import { getSession, onSession } from '#lib/session.ts'
import { read, remove } from '#lib/storage.ts'
import { openAddress } from '#shell/navigation/navigation.ts'

/**
 * What the service worker's notifications need from a page: the language, navigation to a tapped notification's target,
 * and a push subscription that belongs to the member's session.
 */
export function serveNotifications() {
  const { serviceWorker } = navigator
  if (!serviceWorker) return () => {}
  storeLanguage().catch(() => {})
  const claim = () => void claimSubscription().catch(() => {})
  claim()
  const stopClaiming = onSession(claim)
  const listen = ({ data }: MessageEvent) => {
    const { atrium, url } = (data ?? {}) as { atrium?: string; url?: string }
    if (atrium === 'open' && url?.startsWith('/')) openAddress(url)
  }
  serviceWorker.addEventListener('message', listen)
  return () => {
    stopClaiming()
    serviceWorker.removeEventListener('message', listen)
  }
}

/**
 * After a session that the server ended: the same member goes on receiving notifications on this device, and nobody else
 * inherits them.
 */
async function claimSubscription() {
  const previous = read('expiredAccount')
  const session = getSession()
  if (!previous || !session) return
  if (session.accountId === previous) {
    const { keepSubscription } = await import('./push-subscription.ts')
    await keepSubscription()
  } else await unsubscribeFromPush()
  remove('expiredAccount')
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
