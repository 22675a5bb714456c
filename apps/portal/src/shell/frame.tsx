import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { m } from '#paraglide/messages.js'
import { launchCount } from './navigation.ts'
import { PageBoundary } from './page-boundary.tsx'
import { pageAt } from './page-code.ts'
import { PageContext } from './page-context.ts'
import { NotFoundPage, PageError, PageLoading } from './page-states.tsx'
import { isTab, screenAt } from './screens.ts'
import { restoreScroll, storeScroll } from './scroll.ts'
import { splitSearch } from './search.ts'
import { getShowing, onShowing, type Showing } from './showing.ts'
import { startFlags } from './start-flags.ts'
import { TabBar } from './tab-bar.tsx'
import { TabOutlet } from './tab-outlet.tsx'
import { useMourning } from './theme.ts'

/** The tab bar and the page that shows. Tabs live in an outlet of their own, where they are kept. */
export function Frame() {
  const showing = useSyncExternalStore(onShowing, getShowing)
  useScroll(showing)
  useMourning()
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
          <StandingPage {...showing} />
        </PageContext>
      )}
    </>
  )
}

/** A page that is not kept: another address is another page, unless the map says that it stays. */
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
