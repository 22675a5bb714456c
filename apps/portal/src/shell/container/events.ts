/**
 * What the app asks of the program it runs in. `data` is the request data, `answer` the response. `failed` is how a
 * failure is handled: `ignored` if nobody could act on it, or `rejected` so that the calling page can report it.
 * docs/containers.md prints this table for the teams of host apps.
 */
export type Events = {
  // Defined by the specification
  sysGetUserToken: Event<Empty, { idToken: string }>
  sysLogout: Event<Empty, Empty, 'ignored'>
  addCalendar: Event<CalendarEntry, Empty>
  sysCleanCache: Event<Empty, Empty>
  sysVpnState: Event<Empty, { connected: boolean }>
  sysVpnConnectOrDisconnect: Event<
    { vpnOperateType: 'connect' | 'disconnect' },
    { connected: boolean }
  >
  sysGetCacheSize: Event<Empty, { bytes: number }>
  sysGetAppVersion: Event<Empty, { version: string; newVersion?: string }>
  sysVersionUpdate: Event<Empty, Empty>
  sysNavigateToMiniProgram: Event<MiniProgramLink, Empty>
  /** Our notifications that the device still shows. */
  getAllMessage: Event<Empty, { messages: { msgId: string; title: string }[] }>
  sysInfoAuthorizeGetState: Event<{ serviceId: string }, { authorized: boolean }>
  sysInfoAuthorize: Event<{ serviceId: string; title: string }, { authorized: boolean }>
  /** Removes one of these notifications. */
  remove: Event<{ msgId: string }, Empty, 'ignored'>
  sysSetBadge: Event<{ badgeCount: number }, Empty, 'ignored'>

  // Our own; a web page handles them itself if the container does not
  scanCode: Event<Empty, { text: string }>
  /**
   * `copied`: there is no share sheet, the address was copied to the clipboard. `menu`: WeChat has the content, and the
   * user shares it from WeChat's own menu.
   */
  share: Event<ShareItem, { done: 'shared' | 'copied' | 'menu' }>
  copy: Event<{ text: string }, Empty>
  locate: Event<Empty, { latitude: number; longitude: number; accuracy: number }>
  /**
   * Opens in the device's browser, outside the container. `copied`: not possible here, the address was copied to the
   * clipboard.
   */
  openBrowser: Event<{ url: string }, { done: 'opened' | 'copied' }>
  /** A service that identifies the caller by a header or cookie, which only a host app can send. */
  openService: Event<{ url: string; title: string; tokens: ServiceToken[] }, Empty>
}
type Event<EventData, Answer, Failed extends 'ignored' | 'rejected' = 'rejected'> = {
  data: EventData
  answer: Answer
  failed: Failed
}
type Empty = Record<never, never>

export type EventName = keyof Events
export type EventData<E extends EventName> = Events[E]['data']
export type Answer<E extends EventName> = Events[E]['answer']
/** Events whose failure is ignored. */
export type IgnoredEvent = {
  [E in EventName]: Events[E]['failed'] extends 'ignored' ? E : never
}[EventName]

/** Implemented three times: browser.ts, host-app.ts and mini-program.ts. */
export type Container = { [E in EventName]: (data: EventData<E>) => Promise<Answer<E>> }

export type ShareItem = {
  title: string
  text?: string
  url: string
  /** address of a picture of 250 × 200 */
  image?: string
  /** targets to offer; a host app offers no others; without it, all it supports */
  scopes?: readonly ('qq' | 'wechat' | 'friend')[]
}
export type CalendarEntry = {
  title: string
  /** ISO 8601. All-day entries use dates without a time; the end date is inclusive. */
  startsAt: string
  endsAt: string
  place?: string
  note?: string
}
export type ServiceToken = { type: 'header' | 'cookie'; key: string; value: string }

/** The specification's fields, as the service's operator filled them in. */
export type MiniProgramLink = {
  appId: string
  path: string
  title: string
  loadPath?: string
  engineType?: string
  collect?: string
  iconUrl?: string
  tokenTransType?: string
  attachmentUrl?: string
  appType?: string
  desc?: string
  columnId?: string
  shareUrl?: string
}

/**
 * `unsupported`: not possible here. `refused`: by the user or the container. `timeout`: no answer in time. `failed`:
 * anything else.
 */
export const reasons = ['unsupported', 'refused', 'timeout', 'failed'] as const
export type Reason = (typeof reasons)[number]

export class ContainerError extends Error {
  readonly reason: Reason
  constructor(reason: Reason, detail = '') {
    super(detail ? `${reason}: ${detail}` : reason)
    this.reason = reason
  }
}

export const unsupported = () => Promise.reject(new ContainerError('unsupported'))
