import './list-end.css'
import { figures } from '@atrium/rules/figures'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useContext, useEffect, useRef } from 'react'
import { m } from '#paraglide/messages.js'
import { isTab } from '#shell/navigation/screens.ts'
import { Button } from '#ui/form/button.tsx'
import { PageContext } from './page-context.ts'

type ListEndProps = {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >
}

/** On tabs and the news tab, more is fetched later than in other lists. */
const isNearEnd = (path: string) => isTab(path) || path === '/pages/msgCenterTab/news/news'

/**
 * The end of a paginated list: fetches the next page when it comes into view; also a button for users who do not
 * scroll.
 */
export function ListEnd({ query }: ListEndProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const { path } = useContext(PageContext)
  const distance = isNearEnd(path) ? figures.tabScrollBottom : figures.listScrollBottom
  const end = useRef<HTMLDivElement>(null)
  const canFetchMore = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (!canFetchMore || !end.current) return
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void fetchNextPage()
      },
      { rootMargin: `${distance}px` },
    )
    watch.observe(end.current)
    return () => watch.disconnect()
  }, [canFetchMore, fetchNextPage, distance])
  if (!hasNextPage) return null
  return (
    <div ref={end} className="list-end">
      {isFetchNextPageError ? <p className="muted">{m.shell_more_failed()}</p> : null}
      <Button kind="plain" small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchNextPageError ? m.shell_retry() : m.shell_more()}
      </Button>
    </div>
  )
}
