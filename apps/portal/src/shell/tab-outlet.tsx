import { Activity, useRef } from 'react'
import { findLoadedPage } from '#shell/navigation/page-code.ts'
import { PageBoundary } from '#shell/page/page-boundary.tsx'
import { PageContext } from '#shell/page/page-context.ts'

type Search = Record<string, string>

/**
 * Keeps the visited tabs mounted: the current one is visible, the others are hidden and their effects are stopped. Each
 * keeps the search fields it was last shown with.
 */
export function TabOutlet({
  current,
  search,
}: {
  /** Path of the visible tab; undefined while another page shows. */
  current: string | undefined
  search: Search
}) {
  const visited = useRef(new Map<string, Search>())
  if (current && !sameFields(visited.current.get(current), search))
    visited.current.set(current, search)
  return [...visited.current].map(([path, fields]) => {
    const Tab = findLoadedPage(path)
    return Tab ? (
      <Activity key={path} mode={path === current ? 'visible' : 'hidden'}>
        <PageContext value={{ path, search: fields }}>
          <PageBoundary at={`${current}`}>
            <Tab />
          </PageBoundary>
        </PageContext>
      </Activity>
    ) : null
  })
}

const sameFields = (a: Search | undefined, b: Search) => JSON.stringify(a) === JSON.stringify(b)
