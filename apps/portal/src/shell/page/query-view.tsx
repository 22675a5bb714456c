import { figures } from '@atrium/rules/figures'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { formatDayAndTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { Failed, Refused } from '#ui/feedback/failed.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { StaleNote } from '#ui/feedback/stale-note.tsx'
import { failureText, isForbidden, isOffline, isRefusal, supportCode } from './failure.ts'

type QueryViewProps<T> = {
  query: Pick<
    UseQueryResult<T>,
    'data' | 'error' | 'isError' | 'isFetching' | 'dataUpdatedAt' | 'refetch'
  >
  /** As tall as the expected content, to avoid layout shift. */
  skeleton?: ReactNode
  /** Shown instead of the content if `isEmpty` returns true: says what would be here, and what to do. */
  empty?: ReactNode
  isEmpty?: (data: T) => boolean
  /** Rendered below the content and together with it: loading content would push it down. */
  below?: ReactNode
  children: (data: T) => ReactNode
}

/** Renders the states of a query: loading, failed, empty or content, and stale content. */
export function QueryView<T>({ skeleton, below, ...props }: QueryViewProps<T>) {
  const { data, isError } = props.query
  const isLoading = useSteadyLoading(data === undefined && !isError)
  if (isLoading) return skeleton ?? <Skeleton rows={5} label={m.shell_loading()} />
  return (
    <>
      <QueryResult {...props} />
      {below}
    </>
  )
}

type QueryResultProps<T> = Omit<QueryViewProps<T>, 'skeleton' | 'below'>

function QueryResult<T>({ query, empty, isEmpty, children }: QueryResultProps<T>) {
  const { data, error, isError, isFetching, dataUpdatedAt, refetch } = query
  if (data === undefined) {
    if (isRefusal(error))
      return (
        <Refused text={failureText(error)} forbidden={isForbidden(error)} onBack={() => back()} />
      )
    return (
      <Failed
        text={failureText(error)}
        code={supportCode(error)}
        offline={isOffline(error)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <>
      {isError ? (
        <StaleNote
          text={m.shell_stale({ time: formatDayAndTime(dataUpdatedAt) })}
          onRetry={() => void refetch()}
        />
      ) : null}
      {empty !== undefined && isEmpty?.(data) ? empty : children(data)}
    </>
  )
}

/** A skeleton appears after 200 ms and then stays for at least 500 ms, to avoid flicker. */
function useSteadyLoading(isLoading: boolean) {
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    if (!isLoading) return
    let shownAt = 0
    const appear = setTimeout(() => {
      shownAt = performance.now()
      setIsShown(true)
    }, figures.loadingDelay)
    return () => {
      clearTimeout(appear)
      if (shownAt)
        setTimeout(() => setIsShown(false), figures.loadingMinimum - (performance.now() - shownAt))
    }
  }, [isLoading])
  return isLoading || isShown
}
