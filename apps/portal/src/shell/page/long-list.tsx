import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { ListEnd } from './list-end.tsx'

type LongListProps<T> = {
  label: string
  className?: string
  /** Fetches further pages. */
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >
  items: readonly T[]
  keyOf: (item: T) => string
  /** Estimated row height in pixels; rows are measured when shown. */
  height: number
  children: (item: T) => ReactNode
}

/** A virtualised list of any length: draws only the visible rows and a few around them. */
export function LongList<T>(props: LongListProps<T>) {
  const { label, className, query, items, keyOf, height, children } = props
  const list = useRef<HTMLUListElement>(null)
  const [margin, setMargin] = useState(0)
  // Content above the list may have changed its height.
  useLayoutEffect(() => {
    const top = (list.current?.getBoundingClientRect().top ?? 0) + scrollY
    if (Math.abs(top - margin) > 1) setMargin(top)
  })
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => height,
    getItemKey: (index) => keyOf(items[index] as T),
    overscan: 8,
    scrollMargin: margin,
    useFlushSync: false,
  })
  const shown = rows.getVirtualItems()
  const above = (shown[0]?.start ?? margin) - margin
  const below = rows.getTotalSize() - ((shown[shown.length - 1]?.end ?? margin) - margin)
  return (
    <>
      <ul
        ref={list}
        className={className}
        aria-label={label}
        style={{ paddingTop: above, paddingBottom: Math.max(0, below) }}
      >
        {shown.map(({ index, key }) => (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            aria-setsize={query.hasNextPage ? -1 : items.length}
            aria-posinset={index + 1}
          >
            {children(items[index] as T)}
          </li>
        ))}
      </ul>
      <ListEnd query={query} />
    </>
  )
}
