import {
  lazy,
  type MouseEvent,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import { m } from '#paraglide/messages.js'
import {
  type CurrentScreen,
  getCurrentScreen,
  onScreenChange,
} from '#shell/navigation/current-screen.ts'
import type { HistoryEntry } from '#shell/navigation/history.ts'
import { launchCount } from '#shell/navigation/navigation.ts'
import { findLoadedPage } from '#shell/navigation/page-code.ts'
import { findLoadedScreen, isTab } from '#shell/navigation/screens.ts'
import { persistScroll, restoreScroll } from '#shell/navigation/scroll.ts'
import { splitSearch } from '#shell/navigation/search.ts'
import { PageBoundary } from '#shell/page/page-boundary.tsx'
import { PageContext } from '#shell/page/page-context.ts'
import { NotFoundPage, PageError, PageLoading } from '#shell/page/page-states.tsx'
import { startFlags } from '#shell/start/start-flags.ts'
import { TabBar } from './tab-bar.tsx'
import { TabOutlet } from './tab-outlet.tsx'
import { useMourning } from './theme.ts'

/** Never loaded on phones. */
const ListBeside = lazy(() => import('./list-beside.tsx'))

/** The tab bar and the current page. Tabs have their own outlet, which keeps them mounted. */
export function Frame() {
  const current = useSyncExternalStore(onScreenChange, getCurrentScreen)
  useScroll(current)
  useMourning()
  const list = useListBeside(current)
  const path = current?.entry.path ?? ''
  const search = splitSearch(current?.entry.search ?? '')
  const screen = findLoadedScreen(path)
  const tab = isTab(path)
  const tabReady = tab && findLoadedPage(path) !== undefined
  const bare = startFlags.isHideTabbar || search.isHideTabbar === '1' || Boolean(screen?.bare)
  useEffect(() => {
    document.documentElement.toggleAttribute('data-bare', bare)
  }, [bare])
  if (!current) return null
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: on a page painted by the server it works without the script */}
      <a className="skip-link" href="#main" onClick={focusMain}>
        {m.shell_skip()}
      </a>
      {bare ? null : <TabBar current={path} hidden={!tab} />}
      <TabOutlet key={launchCount()} current={tabReady ? path : undefined} search={search} />
      {tabReady ? null : (
        <PageContext value={{ path, search }}>
          <div className={list ? 'panes' : undefined}>
            {list ? (
              <Suspense fallback={<div />}>
                <ListBeside list={list} current={current.entry.href} />
              </Suspense>
            ) : null}
            <div>
              <StackedPage {...current} />
            </div>
          </div>
        </PageContext>
      )}
    </>
  )
}

/** The target of the skip link. Hidden tabs have a `main` too, and `#main` would add to the history. */
function focusMain(event: MouseEvent) {
  event.preventDefault()
  const main = [...document.querySelectorAll('main')].find((one) => one.getClientRects().length > 0)
  if (!main) return
  main.tabIndex = -1
  main.focus()
  main.addEventListener('blur', () => main.removeAttribute('tabindex'), { once: true })
}

/** A page that is not a tab. A different address remounts it, unless its route sets `staysMounted`. */
function StackedPage({ entry, loading, error }: CurrentScreen) {
  const screen = findLoadedScreen(entry.path)
  const PageContent = findLoadedPage(entry.path)
  if (error !== undefined) return <PageError error={error} />
  if (loading) return <PageLoading />
  if (!screen) return <NotFoundPage />
  if (!PageContent) return <PageLoading />
  return (
    <PageBoundary at={entry.key}>
      <PageContent key={screen.staysMounted ? entry.path : entry.href} />
    </PageBoundary>
  )
}

function useScroll(current: CurrentScreen | undefined) {
  const entry = current?.entry
  useLayoutEffect(() => {
    if (entry) restoreScroll(entry)
  }, [entry])
  useEffect(() => {
    if (!entry) return
    const store = () => persistScroll(entry)
    addEventListener('pagehide', store)
    return () => removeEventListener('pagehide', store)
  }, [entry])
}

const wide = matchMedia('(min-width: 768px)')
const onWide = (listener: () => void) => {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

/** On a wide screen, the list page that the user came from, if the current page may be shown beside it. */
function useListBeside(current: CurrentScreen | undefined): HistoryEntry | undefined {
  const isWide = useSyncExternalStore(onWide, () => wide.matches)
  const list = useRef<HistoryEntry>(undefined)
  const entry = current?.entry
  if (!entry) return undefined
  const lists = findLoadedScreen(entry.path)?.beside
  // A page without `beside` becomes the new origin, so a later detail page stands alone unless it names that page.
  if (!lists) list.current = entry
  const origin = list.current
  return isWide && origin && lists?.includes(origin.path) ? origin : undefined
}
