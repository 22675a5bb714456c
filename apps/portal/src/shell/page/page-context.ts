import { createContext, useContext } from 'react'
import type { Path, SearchOf } from '#shell/navigation/screens.ts'
import { screenAt } from '#shell/navigation/screens.ts'
import { parseFields } from '#shell/navigation/search.ts'

/** Which screen one is inside of. A kept tab has its own, whatever the address bar says meanwhile. */
export const PageContext = createContext<{
  path: string
  search: Record<string, string>
  /** It stands beside the page that shows, which has the heading, the title and the focus. */
  pane?: boolean
}>({
  path: '/',
  search: {},
})

/** The fields of the page's address, read as the route map says. An address that lacks one shows the page's error state. */
export function useSearch<P extends Path>(_path: P): SearchOf<P> {
  const { path, search } = useContext(PageContext)
  return parseFields(screenAt(path)?.search ?? {}, search) as SearchOf<P>
}
