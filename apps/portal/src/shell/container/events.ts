/**
 * What the app asks of the program it runs in. `ask` is what goes along, `answer` what comes back, `failed` what becomes of
 * a failure: `ignored`, because nobody could do anything about it, or `rejected`, so that the page that asked can say so.
 * docs/containers.md prints this table for the teams of host apps.
 */
export type Events = {
  // The specification's
  sysGetUserToken: Event<Nothing, { idToken: string }>
  sysLogout: Event<Nothing, Nothing, 'ignored'>
  addCalendar: Event<CalendarEntry, Nothing>
  sysCleanCache: Event<Nothing, Nothing>
  sysVpnState: Event<Nothing, { connected: boolean }>
  sysVpnConnectOrDisconnect: Event<
    { vpnOperateType: 'connect' | 'disconnect' },
    { connected: boolean }
  >
  sysGetCacheSize: Event<Nothing, { bytes: number }>
  sysGetAppVersion: Event<Nothing, { version: string; newVersion?: string }>
  sysVersionUpdate: Event<Nothing, Nothing>
  sysNavigateToMiniProgram: Event<MiniProgramLink, Nothing>
  /** The notifications of ours that the device still shows. */
  getAllMessage: Event<Nothing, { messages: { msgId: string; title: string }[] }>
  sysInfoAuthorizeGetState: Event<{ serviceId: string }, { authorized: boolean }>
  sysInfoAuthorize: Event<{ serviceId: string; title: string }, { authorized: boolean }>
  /** Takes one of them away. */
  remove: Event<{ msgId: string }, Nothing, 'ignored'>
  sysSetBadge: Event<{ badgeCount: number }, Nothing, 'ignored'>

  // Ours: what a web page does by itself where the container leaves it to it
  scanCode: Event<Nothing, { text: string }>
  /**
   * `copied`: there is no share sheet here, the address is on the clipboard instead. `menu`: WeChat knows what to share; the
   * person does so by its own menu.
   */
  share: Event<ShareItem, { done: 'shared' | 'copied' | 'menu' }>
  copy: Event<{ text: string }, Nothing>
  locate: Event<Nothing, { latitude: number; longitude: number; accuracy: number }>
  /** In the device's browser, outside the container. `copied`: nothing leads there, the address is on the clipboard. */
  openBrowser: Event<{ url: string }, { done: 'opened' | 'copied' }>
  /** A service that is told who calls by a header or a cookie, which only a host app can send along. */
  openService: Event<{ url: string; title: string; tokens: ServiceToken[] }, Nothing>
}
type Event<Ask, Answer, Failed extends 'ignored' | 'rejected' = 'rejected'> = {
  ask: Ask
  answer: Answer
  failed: Failed
}
type Nothing = Record<never, never>

export type EventName = keyof Events
export type Ask<E extends EventName> = Events[E]['ask']
export type Answer<E extends EventName> = Events[E]['answer']
/** Events whose failure is nobody's concern. */
export type IgnoredEvent = {
  [E in EventName]: Events[E]['failed'] extends 'ignored' ? E : never
}[EventName]

/** The one interface; browser.ts, host-app.ts and mini-program.ts are the three implementations. */
export type Container = { [E in EventName]: (ask: Ask<E>) => Promise<Answer<E>> }

export type ShareItem = {
  title: string
  text?: string
  url: string
  /** address of a picture of 250 × 200 */
  image?: string
  /** where to: a host app offers no others; without it, wherever it can */
  scopes?: readonly ('qq' | 'wechat' | 'friend')[]
}
export type CalendarEntry = {
  title: string
  /** ISO 8601; all-day entries a bare day, the last one included. */
  startsAt: string
  endsAt: string
  place?: string
  note?: string
}
export type ServiceToken = { type: 'header' | 'cookie'; key: string; value: string }

/** The specification's fields, as the operator of a service filled them in. */
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
 * `unsupported`: nothing here can do this. `refused`: the person or the container said no. `timeout`: no answer in time.
 * `failed`: everything else.
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
