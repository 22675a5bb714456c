import { notifications } from '@atrium/contract/work/notifications'
import { call } from '#lib/api.ts'

/** Registers this browser's push subscription with the server, for the current session. */
export async function registerSubscription(subscription: PushSubscription) {
  const { endpoint = '', keys } = subscription.toJSON()
  await call(notifications.subscribe, {
    body: { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } },
  })
}

/** Registers the subscription again, if there is one, for a session that has replaced another of the same person. */
export async function keepSubscription() {
  const registration = await navigator.serviceWorker?.getRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  if (subscription) await registerSubscription(subscription)
}
