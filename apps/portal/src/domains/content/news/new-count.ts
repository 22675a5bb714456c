import { useInfiniteQuery } from '@tanstack/react-query'
import { useSettings, useSystem } from '#shell/config.ts'
import { subscribedColumns } from './columns.ts'
import { isNew } from './is-new.ts'
import { articlePages, useOwnColumns } from './news-queries.ts'
import { useVisits } from './visited.ts'

/**
 * The number of loaded articles on the news tab that are marked as new, for its badge; `more` means there may be
 * further ones. Zero while unknown or if loading fails.
 */
export function useNewCount() {
  const { ENV_NEWS_NEW_ITON_DAYS: days, muteBadge } = useSettings()
  const { timeZone } = useSystem()
  const visits = useVisits()
  const columns = useOwnColumns()
  const { top, ids } = subscribedColumns(columns.data ?? [])
  const isEnabled = columns.isSuccess && top.length > 0 && Boolean(days) && muteBadge !== '1'
  const articles = useInfiniteQuery({ ...articlePages(ids), enabled: isEnabled })
  if (!isEnabled || columns.isError || articles.isError) return { count: 0, more: false }
  const loaded = articles.data?.pages.flatMap(({ list }) => list) ?? []
  const fresh = loaded.filter(
    ({ id, releaseStartTime }) =>
      !visits[id] && isNew(releaseStartTime, days, Date.now(), timeZone),
  )
  const more = fresh.length === loaded.length && articles.hasNextPage
  return { count: fresh.length, more }
}
