import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { m } from '#paraglide/messages.js'
import { getShowing, onShowing, type Showing } from '#shell/navigation/current-screen.ts'
import type { Place } from '#shell/navigation/history.ts'
import { launchCount } from '#shell/navigation/navigation.ts'
import { pageAt } from '#shell/navigation/page-code.ts'
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
  const showing = useSyncExternalStore(onShowing, getShowing)
  useScroll(showing)
  useMourning()
  const list = useListBeside(showing)
  const path = showing?.place.path ?? ''
  const search = splitSearch(showing?.place.search ?? '')
  const screen = screenAt(path)
  const tab = isTab(path)
  const tabReady = tab && pageAt(path) !== undefined
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
                <ListBeside list={list} current={showing.place.href} />
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
function StandingPage({ place, loading, error }: Showing) {
  const screen = screenAt(place.path)
  const Content = pageAt(place.path)
  if (error !== undefined) return <PageError error={error} />
  if (loading) return <PageLoading />
  if (!screen) return <NotFoundPage />
  if (!Content) return <PageLoading />
  return (
    <PageBoundary at={place.key}>
      <Content key={screen.stays ? place.path : place.href} />
    </PageBoundary>
  )
}

function useScroll(showing: Showing | undefined) {
  const place = showing?.place
  useLayoutEffect(() => {
    if (place) restoreScroll(place)
  }, [place])
  useEffect(() => {
    if (!place) return
    const store = () => storeScroll(place)
    addEventListener('pagehide', store)
    return () => removeEventListener('pagehide', store)
  }, [place])
}

const wide = matchMedia('(min-width: 768px)')
const onWide = (listener: () => void) => {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

/** On a wide screen, the list page that the user came from, if the current page may be shown beside it. */
function useListBeside(showing: Showing | undefined): Place | undefined {
  const isWide = useSyncExternalStore(onWide, () => wide.matches)
  const list = useRef<Place>(undefined)
  const place = showing?.place
  if (!place) return undefined
  const lists = screenAt(place.path)?.beside
  // A page without `beside` becomes the new origin, so a later detail page stands alone unless it names that page.
  if (!lists) list.current = place
  const came = list.current
  return isWide && came && lists?.includes(came.path) ? came : undefined
}
