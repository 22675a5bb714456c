import { CatchBoundary } from '@tanstack/react-router'
import { Activity, type ComponentType, useRef } from 'react'
import { PageContext } from './page-context.ts'
import { PageError } from './page-states.tsx'

type Search = Record<string, string>

/**
 * The tabs one has been to, kept as they were left: the one that shows is visible, the others sleep without effects. Each
 * keeps the fields of the address it was last shown with.
 */
export function TabOutlet({
  tabs,
  shown,
  search,
}: {
  tabs: Record<string, ComponentType>
  /** The tab that shows; none while another page does, or while the tab is still being fetched. */
  shown: string | undefined
  search: Search
}) {
  const visited = useRef(new Map<string, Search>())
  if (shown && !sameFields(visited.current.get(shown), search)) visited.current.set(shown, search)
  return [...visited.current].map(([path, fields]) => {
    const Tab = tabs[path]
    return Tab ? (
      <Activity key={path} mode={path === shown ? 'visible' : 'hidden'}>
        <PageContext value={{ path, search: fields }}>
          <CatchBoundary getResetKey={() => path + shown} errorComponent={PageError}>
            <Tab />
          </CatchBoundary>
        </PageContext>
      </Activity>
    ) : null
  })
}

const sameFields = (a: Search | undefined, b: Search) => JSON.stringify(a) === JSON.stringify(b)
