import type { Parser, Parsers } from './search.ts'

/** One entry of the route map. */
export type Screen = {
  area: string
  /** The page's title in the reader's language. */
  title: () => string
  /**
   * `public`: open to everyone, the same for all. `guest`: open to everyone, shows more to members. `member`: without a
   * session the central login comes first.
   */
  access: 'public' | 'guest' | 'member'
  /** The search fields the page reads. */
  search?: Parsers
  page: () => Promise<{ default: unknown }>
  /** Text of the back button; without it, an arrow. */
  backLabel?: () => string
  /** Position in the tab bar, from 1. */
  tab?: 1 | 2 | 3 | 4 | 5
  /** Replaces the tab at this position if an operator has put a web page there. */
  replacesTab?: 1 | 2 | 3 | 4 | 5
  /** Without tab bar and side rail. */
  bare?: true
  /** Lists beside which the page is shown on a wide screen when opened from them. */
  beside?: readonly string[]
  /** Colour of the navigation bar; defaults to the page's background. */
  nav?: 'brand' | 'channel'
  /** The address changes while the page is open (typed words, a chosen tab), and the page is not remounted for it. */
  staysMounted?: true
}

/**
 * The type of the route map. routes.ts adds to it, because the shell is below the areas and may not import it.
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by routes.ts
export interface Screens {}

export type Path = keyof Screens & string
type FieldsOf<P extends Path> = Screens[P] extends { search: infer S extends Parsers }
  ? S
  : Record<never, never>
/** The parsed search fields of a page. */
export type SearchOf<P extends Path> = {
  [name in keyof FieldsOf<P>]: FieldsOf<P>[name] extends Parser<infer T> ? T : never
}

type OptionalNames<T> = {
  [name in keyof T]: undefined extends T[name] ? name : T[name] extends boolean ? name : never
}[keyof T]
/** The fields that a link to a page must give. */
type LinkFields<T> = Omit<T, OptionalNames<T>> & Partial<T>
type OptionalArgs<T> = Record<never, never> extends T ? [search?: T] : [search: T]
export type SearchArgs<P extends Path> = OptionalArgs<LinkFields<SearchOf<P>>>
/** A screen to go to, as props of a link. */
export type Target<P extends Path> = { to: P } & (Record<never, never> extends LinkFields<
  SearchOf<P>
>
  ? { search?: LinkFields<SearchOf<P>> }
  : { search: LinkFields<SearchOf<P>> })

type RouteMap = Record<string, Screen>
/** A map and not an object: paths come from addresses, which may name an object's inherited properties. */
let routeMap = new Map<string, Screen>()
/** Loads the whole map; undefined once it is loaded. */
let fetchRouteMap: (() => Promise<RouteMap>) | undefined
let fetching: Promise<void> | undefined

/** Called once, by the app: the first screens and, if these are not all, a loader for the whole map. */
export function registerScreens(first: RouteMap, fetchAll?: () => Promise<RouteMap>) {
  routeMap = new Map(Object.entries(first))
  fetchRouteMap = fetchAll
}
/** The route map entry, if already loaded. */
export const findLoadedScreen = (path: string) => routeMap.get(path)
/** If true, a path without an entry does not exist. */
export const isRouteMapLoaded = () => fetchRouteMap === undefined

/** Loads the whole map once. A failure is not cached: the next call tries again. */
export async function loadRouteMap() {
  if (!fetchRouteMap) return
  fetching ??= fetchRouteMap()
    .then((loaded) => {
      routeMap = new Map(Object.entries(loaded))
      fetchRouteMap = undefined
    })
    .finally(() => {
      fetching = undefined
    })
  await fetching
}

/** The route map entry for this path; loads the map if needed. */
export async function findScreen(path: string) {
  if (!findLoadedScreen(path)) await loadRouteMap()
  return findLoadedScreen(path)
}

/** Runs `work` immediately if the whole map is loaded, otherwise after loading it, even if that fails. */
export function withRouteMap(work: () => void) {
  if (isRouteMapLoaded()) return work()
  void loadRouteMap().then(work, work)
}
export const tabPaths = () =>
  [...routeMap]
    .filter(([, { tab }]) => tab)
    .sort(([, a], [, b]) => (a.tab ?? 0) - (b.tab ?? 0))
    .map(([path]) => path)
/** Tabs are switched to, and keep their state. */
export function isTab(path: string) {
  const screen = routeMap.get(path)
  return Boolean(screen?.tab ?? screen?.replacesTab)
}
export const homePath = () => tabPaths()[0] ?? '/'
