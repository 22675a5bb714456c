import { notifications } from '@atrium/contract/work/notifications'
import { call } from '#lib/api.ts'
import { registerSubscription } from '#shell/push-subscription.ts'

/** Whether this browser supports push notifications; on an iPhone only if the portal is on the home screen. */
export const canPush =
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const registration = async () => (await navigator.serviceWorker.getRegistration()) ?? null

/** Whether this device receives push notifications. */
export async function isSubscribed(): Promise<boolean> {
  const subscription = await (await registration())?.pushManager.getSubscription()
  return Boolean(subscription) && Notification.permission === 'granted'
}

/** The user has refused the browser's permission prompt. */
export class PushRefused extends Error {}

/** Asks for permission, subscribes this browser and registers it with the server. @throws PushRefused */
export async function subscribe() {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused()
  const { publicKey } = await call(notifications.pushKey)
  const worker = await navigator.serviceWorker.ready
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  await registerSubscription(subscription)
}

export async function unsubscribe() {
  const subscription = await (await registration())?.pushManager.getSubscription()
  if (!subscription) return
  await call(notifications.unsubscribe, { body: { endpoint: subscription.endpoint } })
  await subscription.unsubscribe()
}
