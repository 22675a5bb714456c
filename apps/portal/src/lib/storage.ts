import type { Language } from '@atrium/contract/error-texts'
import type { PayCodes } from '@atrium/contract/member/e-card'
import type { Diversion, OpeningPage, Theme } from '@atrium/contract/shell/launch'
import type { Waiting } from './event-queue.ts'

/** Everything the app keeps on the device, by key. The keys of the specification keep their spelling. */
export type Stored = {
  /** The session; a bare string, host apps read it too. */
  idToken: string
  /** Who is signed in, as the token and the profile say; host apps read it too. */
  myInfo: {
    userName: string
    accountId: string
    identityTypeCode: string
    organizationCode: string
    organizationId: string
    organizationName: string
  }
  /** When which id token came, told by its end, in milliseconds. */
  idTokenSince: { of: string; at: number }
  /** The platform configuration as last answered. */
  platFormConfig: { key: string; value: string }[]
  /** Unread messages, for the badge before the first answer. */
  totalCount: number
  /** Tasks to handle, for the same. */
  cache_taskNum: number
  /** The last screen, where a start with nothing else to go by begins. */
  lastPageRoute: string
  /** When it was left, in milliseconds. */
  lastPageAt: number
  /** The opening pages that are due, a member's and a visitor's. */
  opnePageList: OpeningPage[]
  touristOpnePageList: OpeningPage[]
  /** Opening pages shown since that list came. */
  openPageids: string[]
  /** All that were ever shown, each as often as it was, by account; a visitor's under no name. They outlast a sign-out. */
  opnePageFrequency: Record<string, string[]>
  /** The diversion page to show. */
  fenliuInfo: Diversion
  /** The address of a tab that ordinary navigation was asked for. */
  switchTabUrl: string
  /** The offer of the portal for computers was closed. */
  pcOfferClosed: boolean
  /** The pictures of the tabs, by address, as `data:` addresses. */
  savedIconMap: Record<string, string>
  /** The festival theme as last answered. */
  cache_theme_tabbarConfig: Theme
  deviceId: string
  /** By what somebody signed in here last, or left to do so: the central login, an outside provider by its code. */
  loginWay: 'password' | 'sms' | 'passkey' | 'scan' | 'central' | `provider ${string}`
  /** What was done and is not sent yet. */
  eventQueue: Waiting[]
  /** Whether the host app has a back button of its own, as it said last. */
  hostBackButton: boolean
  /** Whether shaking the device opens the operators' link. */
  shaking: 'on' | 'off'
  language: Language
  /** Percent, 100 to 200. */
  textSize: number
  contrast: 'more'
  /** The device's own without it. */
  scheme: 'light' | 'dark'
  /** The institution's clock beside the member's in the schedule was put away. */
  oneZone: boolean
  /** Articles opened on this device, by id. */
  newsVisitRecordings: Record<string, true>
  /** Notices whose card was opened or put away, oldest first. */
  readedIds: string[]
  /** Size of an article's text, in percent of other text. */
  articleTextSize: number
  /** Whether the member's name goes along with what they share, as chosen last; for each account. */
  shareNamed: Record<string, true>
  /** Words looked for among the services, newest first. Forgotten with the member's answers. */
  'kept:serviceSearches': string[]
  /** The same for what was searched for everywhere. */
  'kept:searches': string[]
  /** Screens that open without a network. */
  'kept:pages': string[]
  /** Codes to pay with for the next minutes, for a device without a network. */
  'kept:payCodes': PayCodes & { ahead: number }
}
type Key = keyof Stored

const bare = [
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
type Bare = (typeof bare)[number]
const isBare = (key: Key): key is Bare => (bare as readonly Key[]).includes(key)

/**
 * As much of each value as the app stands on: `[x]` is a list of x, `{ '*': x }` x under any name. An older version, or
 * another program on this origin, may have left something else there, and a start must not break on it.
 */
const shapes: Record<Exclude<Key, Bare>, unknown> = {
  myInfo: {
    userName: '',
    accountId: '',
    identityTypeCode: '',
    organizationCode: '',
    organizationId: '',
    organizationName: '',
  },
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

function fits(shape: unknown, value: unknown): boolean {
  if (typeof shape !== 'object' || shape === null) return typeof value === typeof shape
  if (Array.isArray(shape))
    return Array.isArray(value) && value.every((item) => fits(shape[0], item))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = value as Record<string, unknown>
  return Object.entries(shape).every(([name, inner]) =>
    name === '*'
      ? Object.values(fields).every((item) => fits(inner, item))
      : fits(inner, fields[name]),
  )
}

/** Stands in where the browser refuses storage (private windows, full quota): the session lives as long as the page. */
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
    // Nothing was kept there.
  }
}

/** The value, or undefined. One that cannot be read, or is of another kind, is removed. */
export function read<K extends Key>(key: K): Stored[K] | undefined {
  const text = readText(key)
  if (text === null) return undefined
  if (isBare(key)) return text as Stored[K]
  try {
    const value: unknown = JSON.parse(text)
    if (fits(shapes[key as Exclude<K, Bare>], value)) return value as Stored[K]
  } catch {
    // falls through to its removal
  }
  remove(key)
  return undefined
}

export function write<K extends Key>(key: K, value: Stored[K]) {
  writeText(key, typeof value === 'string' ? value : JSON.stringify(value))
}

/** Removes every key that starts so. */
export function removeAll(prefix: string) {
  for (const key of keysWith(prefix)) remove(key)
}

/** Every key that starts so. */
export function keysWith(prefix: string): string[] {
  const keys = [...memory.keys()]
  try {
    keys.push(...Object.keys(localStorage))
  } catch {
    // Nothing is kept there.
  }
  return keys.filter((key) => key.startsWith(prefix))
}

/** Before what a member did without a network: not forgotten with answers, but with the session. */
export const waitingPrefix = 'waiting:'
/** Before what is being written, with whose it is. */
export const draftPrefix = 'draft:'
