import { createContext, useContext } from 'react'
import type { Path, SearchOf } from '#shell/navigation/screens.ts'
import { findLoadedScreen } from '#shell/navigation/screens.ts'
import { parseFields } from '#shell/navigation/search.ts'

/** The screen that a component belongs to. A kept tab has its own, even when the address bar shows another page. */
export const PageContext = createContext<{
  path: string
  search: Record<string, string>
  /** Shown beside the current page, which has the heading, the title and the focus. */
  pane?: boolean
}>({
  path: '/',
  search: {},
})

/**
 * The search fields of the page's address, parsed as the route map defines. If a required one is missing, the page's
 * error state is shown.
 */
export function useSearch<P extends Path>(_path: P): SearchOf<P> {
  const { path, search } = useContext(PageContext)
  return parseFields(findLoadedScreen(path)?.search ?? {}, search) as SearchOf<P>
}
