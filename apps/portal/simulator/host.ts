import {
  type Answer,
  ContainerError,
  type EventData,
  type EventName,
} from '#shell/container/events.ts'
import { version } from '#shell/container/protocol.ts'

/** Settings made in the simulator, and state that the simulated host app changes itself. */
export type HostState = {
  /** If false, the app does not support the protocol. */
  speaks: boolean
  backButton: boolean
  /** The ID token it hands over; empty if nobody is signed in to the app. */
  idToken: string
  vpn: boolean
  appVersion: string
  newVersion: string
  cacheBytes: number
  /** The user's answer when the app asks for consent to share data with a service. */
  grants: boolean
  granted: string[]
  messages: { msgId: string; title: string }[]
  badge: number
  scanned: string
}

export const initialState: HostState = {
  speaks: true,
  backButton: true,
  idToken: '',
  vpn: false,
  appVersion: '5.2.0',
  newVersion: '',
  cacheBytes: 12_582_912,
  grants: true,
  granted: [],
  messages: [{ msgId: '1', title: '通知' }],
  badge: 0,
  scanned: 'https://example.org/a',
}

type State = { get: () => HostState; change: (change: Partial<HostState>) => void }
type Events = { [E in EventName]?: (ask: EventData<E>) => Answer<E> }

/** A host app that implements everything in docs/containers.md and answers according to the settings. */
export function playHostApp({ get, change }: State) {
  // One per page; a frame inside the page does not receive it.
  const key = Math.random().toString(36).slice(2)
  const events: Events = {
    sysGetUserToken() {
      const { idToken } = get()
      if (!idToken) throw new ContainerError('refused')
      return { idToken }
    },
    sysLogout() {
      change({ idToken: '' })
      return {}
    },
    addCalendar: () => ({}),
    sysCleanCache() {
      change({ cacheBytes: 0 })
      return {}
    },
    sysVpnState: () => ({ connected: get().vpn }),
    sysVpnConnectOrDisconnect({ vpnOperateType }) {
      change({ vpn: vpnOperateType === 'connect' })
      return { connected: get().vpn }
    },
    sysGetCacheSize: () => ({ bytes: get().cacheBytes }),
    sysGetAppVersion() {
      const { appVersion, newVersion } = get()
      return { version: appVersion, ...(newVersion && { newVersion }) }
    },
    sysVersionUpdate: () => ({}),
    sysNavigateToMiniProgram: () => ({}),
    getAllMessage: () => ({ messages: get().messages }),
    sysInfoAuthorizeGetState: ({ serviceId }) => ({
      authorized: get().granted.includes(serviceId),
    }),
    sysInfoAuthorize({ serviceId }) {
      const { grants, granted } = get()
      if (grants) change({ granted: [...granted, serviceId] })
      return { authorized: grants }
    },
    remove({ msgId }) {
      change({ messages: get().messages.filter((message) => message.msgId !== msgId) })
      return {}
    },
    sysSetBadge({ badgeCount }) {
      change({ badge: badgeCount })
      return {}
    },
    scanCode() {
      const { scanned } = get()
      if (!scanned) throw new ContainerError('refused')
      return { text: scanned }
    },
    share: () => ({ done: 'shared' }),
    openBrowser: () => ({ done: 'opened' }),
    openService: () => ({}),
  }

  return (event: string, data: unknown, receivedKey: string | undefined) => {
    if (!get().speaks) return new Promise(() => {})
    if (event === 'hello') {
      return {
        version,
        app: { name: 'Simulator', version: get().appVersion },
        key,
        events: Object.keys(events),
        backButton: get().backButton,
      }
    }
    if (receivedKey !== key) throw new ContainerError('refused', 'no key')
    if (!Object.hasOwn(events, event)) throw new ContainerError('unsupported')
    return (events as Record<string, (ask: unknown) => unknown>)[event]?.(data)
  }
}
