import './list-beside.css'
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { Showing } from '#shell/navigation/current-screen.ts'
import type { Place } from '#shell/navigation/history.ts'
import { pageAt } from '#shell/navigation/page-code.ts'
import { screenAt } from '#shell/navigation/screens.ts'
import { keptScroll } from '#shell/navigation/scroll.ts'
import { splitSearch } from '#shell/navigation/search.ts'
import { PageBoundary } from '#shell/page/page-boundary.tsx'
import { PageContext } from '#shell/page/page-context.ts'

const wide = matchMedia('(min-width: 768px)')
const onWide = (listener: () => void) => {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

/** The list that one came from to what shows, and beside which that is read on a wide screen. */
export function useListBeside(showing: Showing | undefined): Place | undefined {
  const isWide = useSyncExternalStore(onWide, () => wide.matches)
  const list = useRef<Place>(undefined)
  const place = showing?.place
  if (!place) return undefined
  const lists = screenAt(place.path)?.beside
  // A page that is no part of it comes between: the next one is read by itself.
  if (!lists) list.current = place
  const came = list.current
  return isWide && came && lists?.includes(came.path) ? came : undefined
}

/** A list that stays on the left while one after the other is read on the right. */
export function ListBeside({ list, current }: { list: Place; current: string }) {
  const pane = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    pane.current?.scrollTo(0, keptScroll(list))
  }, [list])
  useEffect(() => markCurrent(pane.current, current))
  const Content = pageAt(list.path)
  if (!Content) return null
  return (
    <div className="pane-list" ref={pane}>
      <PageContext value={{ path: list.path, search: splitSearch(list.search), pane: true }}>
        <PageBoundary at={list.key}>
          <Content />
        </PageBoundary>
      </PageContext>
    </div>
  )
}

/** The row of what shows says so. Rows come from many areas, and know nothing of where they are shown. */
function markCurrent(pane: HTMLElement | null, current: string) {
  const { pathname, searchParams } = new URL(current, location.origin)
  for (const link of pane?.querySelectorAll<HTMLAnchorElement>('li a[href]') ?? []) {
    const to = new URL(link.href)
    const isCurrent =
      to.pathname === pathname && to.searchParams.get('id') === searchParams.get('id')
    if (isCurrent) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
}
