import type { Parser, Parsers } from './search.ts'

/** One line of the route map. */
export type Screen = {
  area: string
  /** The page's title in the reader's language. */
  title: () => string
  /**
   * `public`: open to anybody, who calls does not matter. `guest`: open to anybody, shows more to a member. `member`: without
   * a session the central login comes first.
   */
  access: 'public' | 'guest' | 'member'
  /** The fields of the address the page reads. */
  search?: Parsers
  page: () => Promise<{ default: unknown }>
  /** What the way back is called, in words; an arrow without one. */
  backLabel?: () => string
  /** Place in the tab bar, from 1. */
  tab?: 1 | 2 | 3 | 4 | 5
  /** Stands in for the tab of that place where an operator has put a web page there. */
  tabInstead?: 1 | 2 | 3 | 4 | 5
  /** Without tab bar and side rail. */
  bare?: true
  /** Lists beside which it is read on a wide screen, when one comes from there. */
  beside?: readonly string[]
  /** Colour of the navigation bar; the page's own background without one. */
  nav?: 'brand' | 'channel'
  /** Its address changes while one stays (words being typed, a tab chosen): the page is then not built anew. */
  stays?: true
}

/**
 * The type of the route map, which routes.ts adds here: the shell is below the areas and may not import it.
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by routes.ts
export interface Screens {}

export type Path = keyof Screens & string
type FieldsOf<P extends Path> = Screens[P] extends { search: infer S extends Parsers }
  ? S
  : Record<never, never>
/** What a page gets from its address. */
export type SearchOf<P extends Path> = {
  [name in keyof FieldsOf<P>]: FieldsOf<P>[name] extends Parser<infer T> ? T : never
}

type OptionalNames<T> = {
  [name in keyof T]: undefined extends T[name] ? name : T[name] extends boolean ? name : never
}[keyof T]
/** What a link to a page has to say. */
type LinkFields<T> = Omit<T, OptionalNames<T>> & Partial<T>
type Given<T> = Record<never, never> extends T ? [search?: T] : [search: T]
export type SearchGiven<P extends Path> = Given<LinkFields<SearchOf<P>>>
/** A screen to go to, as properties of a link. */
export type Target<P extends Path> = { to: P } & (Record<never, never> extends LinkFields<
  SearchOf<P>
>
  ? { search?: LinkFields<SearchOf<P>> }
  : { search: LinkFields<SearchOf<P>> })

type RouteMap = Record<string, Screen>
let map: RouteMap = {}
/** Fetches the whole map; nothing once it is here. */
let fetchMap: (() => Promise<RouteMap>) | undefined
let fetching: Promise<void> | undefined

/** Called once, by the app: the screens it starts with, and where the whole map comes from, if that is not all. */
export function registerScreens(first: RouteMap, whole?: () => Promise<RouteMap>) {
  map = first
  fetchMap = whole
}
/** The line of the map, of what is known of it by now. */
export const screenAt = (path: string): Screen | undefined => map[path]
/** From then on a path without a screen is none of ours. */
export const isMapWhole = () => fetchMap === undefined

/** Fetches the whole map, once. A failure is forgotten, so that the next call tries again. */
export async function completeMap() {
  if (!fetchMap) return
  fetching ??= fetchMap()
    .then((whole) => {
      map = whole
      fetchMap = undefined
    })
    .finally(() => {
      fetching = undefined
    })
  await fetching
}

/** The line of the map for this path, fetched where it is not known yet. */
export async function findScreen(path: string) {
  if (!screenAt(path)) await completeMap()
  return screenAt(path)
}

/** At once where the whole map is here, which it is soon after the first screen; else when it has come, or could not. */
export function withWholeMap(work: () => void) {
  if (isMapWhole()) return work()
  void completeMap().then(work, work)
}
export const tabPaths = () =>
  Object.keys(map)
    .filter((path) => map[path]?.tab)
    .sort((a, b) => (map[a]?.tab ?? 0) - (map[b]?.tab ?? 0))
/** Tabs are switched to and kept as they were left. */
export const isTab = (path: string) => Boolean(map[path]?.tab ?? map[path]?.tabInstead)
export const homePath = () => tabPaths()[0] ?? '/'
