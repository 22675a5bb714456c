import type { Language } from '@atrium/contract/error-texts'
import type { PayCodes } from '@atrium/contract/member/e-card'
import type { Diversion, OpeningPage, Theme } from '@atrium/contract/shell/launch'
import type { QueuedEvent } from './event-queue.ts'

/** Everything the app stores on the device, by key. The specification's keys keep their spelling. */
export type StoredValues = {
  /** The session's token, stored as a bare string; host apps also read it. */
  idToken: string
  /** The member according to the token and the profile; host apps also read it. */
  myInfo: {
    userName: string
    accountId: string
    identityTypeCode: string
    organizationCode: string
    organizationId: string
    organizationName: string
  }
  /** The account of the session that the server ended last, until somebody signs in. */
  expiredAccount: string
  /** When the ID token was received, in milliseconds; `of` is the end of that token. */
  idTokenSince: { of: string; at: number }
  /** The last platform configuration received. */
  platFormConfig: { key: string; value: string }[]
  /** Unread messages, for the badge before the first answer. */
  totalCount: number
  /** Tasks to handle, for the badge before the first answer. */
  cache_taskNum: number
  /** The last screen, used by a start that names no other. */
  lastPageRoute: string
  /** When it was left, in milliseconds. */
  lastPageAt: number
  /** The opening pages due, for a member and for a visitor. */
  opnePageList: OpeningPage[]
  touristOpnePageList: OpeningPage[]
  /** Ids of opening pages shown since that list was received. */
  openPageids: string[]
  /**
   * Ids of all opening pages ever shown, once per showing, by account; a visitor's under an empty key. Kept after
   * sign-out.
   */
  opnePageFrequency: Record<string, string[]>
  /** The diversion page to show. */
  fenliuInfo: Diversion
  /** The last address of a tab that was opened by ordinary navigation. */
  switchTabUrl: string
  /** The hint about the desktop portal was closed. */
  pcOfferClosed: boolean
  /** The pictures of the tabs, by address, as data URLs. */
  savedIconMap: Record<string, string>
  /** The last festival theme received. */
  cache_theme_tabbarConfig: Theme
  deviceId: string
  /** The last sign-in method used or left for: the central login, or an external provider by its code. */
  loginWay: 'password' | 'sms' | 'passkey' | 'scan' | 'central' | `provider ${string}`
  /** Recorded events not sent yet. */
  eventQueue: QueuedEvent[]
  /** Whether the host app has its own back button, as last reported. */
  hostBackButton: boolean
  /** Whether shaking the device opens the operators' link. */
  shaking: 'on' | 'off'
  language: Language
  /** Percent, 100 to 200. */
  textSize: number
  contrast: 'more'
  /** Unset means the device's scheme. */
  scheme: 'light' | 'dark'
  /** The schedule hides the institution's time beside the member's. */
  oneZone: boolean
  /** Articles opened on this device, by id. */
  newsVisitRecordings: Record<string, true>
  /** Notices whose card was opened or dismissed, oldest first. */
  readedIds: string[]
  /** Size of an article's text, in percent of other text. */
  articleTextSize: number
  /** Whether shared items include the member's name, as last chosen; by account. */
  shareNamed: Record<string, true>
  /** Search terms in the services, newest first. Deleted with the member's answers. */
  'kept:serviceSearches': string[]
  /** Search terms of the global search, likewise. */
  'kept:searches': string[]
  /** Screens that open without a network. */
  'kept:pages': string[]
  /** Payment codes for the next minutes, for a device without a network. */
  'kept:payCodes': PayCodes & { ahead: number }
}
type Key = keyof StoredValues

const textKeys = [
  'idToken',
  'lastPageRoute',
  'switchTabUrl',
  'deviceId',
  'loginWay',
  'language',
  'contrast',
  'shaking',
  'scheme',
] as const
type TextKey = (typeof textKeys)[number]
const isTextKey = (key: Key): key is TextKey => (textKeys as readonly Key[]).includes(key)

/**
 * The part of each value that the app relies on: `[x]` is a list of x, `{ '*': x }` an object of x under any name. An
 * older version, or another program on this origin, may have stored something else, and a start must not fail on it.
 */
const shapes: Record<Exclude<Key, TextKey>, unknown> = {
  myInfo: {
    userName: '',
    accountId: '',
    identityTypeCode: '',
    organizationCode: '',
    organizationId: '',
    organizationName: '',
  },
  expiredAccount: '',
  idTokenSince: { of: '', at: 0 },
  platFormConfig: [{ key: '', value: '' }],
  totalCount: 0,
  cache_taskNum: 0,
  lastPageAt: 0,
  opnePageList: [{ id: '', title: '', contentUrl: '', link: '', seconds: 0 }],
  touristOpnePageList: [{ id: '', title: '', contentUrl: '', link: '', seconds: 0 }],
  openPageids: [''],
  opnePageFrequency: { '*': [''] },
  fenliuInfo: { title: '', destinations: [{ title: '', text: '', imageUrl: '', link: '' }] },
  pcOfferClosed: true,
  savedIconMap: { '*': '' },
  cache_theme_tabbarConfig: {
    backgroundUrl: '',
    footTabs: [{ text: '', iconPath: '', selectedIconPath: '' }],
    validLists: [{ validTimeType: '' }],
  },
  eventQueue: [{ id: '', type: '', at: 0, account: '' }],
  hostBackButton: true,
  textSize: 0,
  oneZone: true,
  newsVisitRecordings: { '*': true },
  readedIds: [''],
  articleTextSize: 0,
  shareNamed: { '*': true },
  'kept:serviceSearches': [''],
  'kept:searches': [''],
  'kept:pages': [''],
  'kept:payCodes': { now: '', codes: [{ code: '', from: '', until: '' }], mayPay: true, ahead: 0 },
}

function matchesShape(shape: unknown, value: unknown): boolean {
  if (typeof shape !== 'object' || shape === null) return typeof value === typeof shape
  if (Array.isArray(shape))
    return Array.isArray(value) && value.every((item) => matchesShape(shape[0], item))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = value as Record<string, unknown>
  return Object.entries(shape).every(([name, inner]) =>
    name === '*'
      ? Object.values(fields).every((item) => matchesShape(inner, item))
      : matchesShape(inner, fields[name]),
  )
}

/**
 * Fallback if the browser refuses storage (private windows, full quota): the session then lasts as long as the page.
 */
const memory = new Map<string, string>()

export function readText(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null
  } catch {
    return memory.get(key) ?? null
  }
}

export function writeText(key: string, text: string) {
  try {
    localStorage.setItem(key, text)
    memory.delete(key)
  } catch {
    memory.set(key, text)
  }
}

export function remove(key: string) {
  memory.delete(key)
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is unavailable, so there is nothing to remove.
  }
}

/** The value, or undefined. An unreadable value, or one of the wrong shape, is removed. */
export function read<K extends Key>(key: K): StoredValues[K] | undefined {
  const text = readText(key)
  if (text === null) return undefined
  if (isTextKey(key)) return text as StoredValues[K]
  try {
    const value: unknown = JSON.parse(text)
    if (matchesShape(shapes[key as Exclude<K, TextKey>], value)) return value as StoredValues[K]
  } catch {
    // fall through to the removal
  }
  remove(key)
  return undefined
}

export function write<K extends Key>(key: K, value: StoredValues[K]) {
  writeText(key, typeof value === 'string' ? value : JSON.stringify(value))
}

/** Removes every key with this prefix. */
export function removeAll(prefix: string) {
  for (const key of keysWith(prefix)) remove(key)
}

/** Every key with this prefix. */
export function keysWith(prefix: string): string[] {
  const keys = [...memory.keys()]
  try {
    keys.push(...Object.keys(localStorage))
  } catch {
    // Storage is unavailable.
  }
  return keys.filter((key) => key.startsWith(prefix))
}

/** Prefix of actions in the outbox; deleted with the session, not with stored answers. */
export const outboxPrefix = 'waiting:'
/** Prefix of drafts; followed by the account. */
export const draftPrefix = 'draft:'
/** Prefix of article texts that the server does not have yet; followed by the account. */
export const writingPrefix = 'writing:'
/** Prefix of tus-js-client's own keys, which contain file names. */
export const uploadPrefix = 'tus::'
