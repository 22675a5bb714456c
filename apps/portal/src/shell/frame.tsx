import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { m } from '#paraglide/messages.js'
import {
  type CurrentScreen,
  getCurrentScreen,
  onScreenChange,
} from '#shell/navigation/current-screen.ts'
import type { HistoryEntry } from '#shell/navigation/history.ts'
import { launchCount } from '#shell/navigation/navigation.ts'
import { findLoadedPage } from '#shell/navigation/page-code.ts'
import { isTab, screenAt } from '#shell/navigation/screens.ts'
import { restoreScroll, storeScroll } from '#shell/navigation/scroll.ts'
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
  const showing = useSyncExternalStore(onScreenChange, getCurrentScreen)
  useScroll(showing)
  useMourning()
  const list = useListBeside(showing)
  const path = showing?.entry.path ?? ''
  const search = splitSearch(showing?.entry.search ?? '')
  const screen = screenAt(path)
  const tab = isTab(path)
  const tabReady = tab && findLoadedPage(path) !== undefined
  const bare = startFlags.isHideTabbar || search.isHideTabbar === '1' || Boolean(screen?.bare)
  useEffect(() => {
    document.documentElement.toggleAttribute('data-bare', bare)
  }, [bare])
  if (!showing) return null
  return (
    <>
      <a className="skip-link" href="#main">
        {m.shell_skip()}
      </a>
      {bare ? null : <TabBar current={path} hidden={!tab} />}
      <TabOutlet key={launchCount()} shown={tabReady ? path : undefined} search={search} />
      {tabReady ? null : (
        <PageContext value={{ path, search }}>
          <div className={list ? 'panes' : undefined}>
            {list ? (
              <Suspense fallback={<div />}>
                <ListBeside list={list} current={showing.entry.href} />
              </Suspense>
            ) : null}
            <div>
              <StandingPage {...showing} />
            </div>
          </div>
        </PageContext>
      )}
    </>
  )
}

/** A page that is not a tab. A different address remounts it, unless its route sets `stays`. */
function StandingPage({ entry, loading, error }: CurrentScreen) {
  const screen = screenAt(entry.path)
  const Content = findLoadedPage(entry.path)
  if (error !== undefined) return <PageError error={error} />
  if (loading) return <PageLoading />
  if (!screen) return <NotFoundPage />
  if (!Content) return <PageLoading />
  return (
    <PageBoundary at={entry.key}>
      <Content key={screen.stays ? entry.path : entry.href} />
    </PageBoundary>
  )
}

function useScroll(showing: CurrentScreen | undefined) {
  const entry = showing?.entry
  useLayoutEffect(() => {
    if (entry) restoreScroll(entry)
  }, [entry])
  useEffect(() => {
    if (!entry) return
    const store = () => storeScroll(entry)
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
function useListBeside(showing: CurrentScreen | undefined): HistoryEntry | undefined {
  const isWide = useSyncExternalStore(onWide, () => wide.matches)
  const list = useRef<HistoryEntry>(undefined)
  const entry = showing?.entry
  if (!entry) return undefined
  const lists = screenAt(entry.path)?.beside
  // A page without `beside` becomes the new origin, so a later detail page stands alone unless it names that page.
  if (!lists) list.current = entry
  const came = list.current
  return isWide && came && lists?.includes(came.path) ? came : undefined
}
