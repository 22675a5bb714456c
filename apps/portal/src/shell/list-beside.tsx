import './list-beside.css'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { HistoryEntry } from '#shell/navigation/history.ts'
import { findLoadedPage } from '#shell/navigation/page-code.ts'
import { getSavedScroll } from '#shell/navigation/scroll.ts'
import { splitSearch } from '#shell/navigation/search.ts'
import { PageBoundary } from '#shell/page/page-boundary.tsx'
import { PageContext } from '#shell/page/page-context.ts'

/** Keeps the list on the left while items are read on the right. */
export default function ListBeside({ list, current }: { list: HistoryEntry; current: string }) {
  const pane = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    pane.current?.scrollTo(0, getSavedScroll(list))
  }, [list])
  useEffect(() => markCurrent(pane.current, current))
  const Content = findLoadedPage(list.path)
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

/** Marks the row of the current page. Rows come from many areas and do not know where they are shown. */
function markCurrent(pane: HTMLElement | null, current: string) {
  const { pathname, searchParams } = new URL(current, location.origin)
  for (const link of pane?.querySelectorAll<HTMLAnchorElement>('li a[href]') ?? []) {
    const target = new URL(link.href)
    const isCurrent =
      target.pathname === pathname && target.searchParams.get('id') === searchParams.get('id')
    if (isCurrent) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
}
