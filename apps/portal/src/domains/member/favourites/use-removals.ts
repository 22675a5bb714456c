import { favourites } from '@atrium/contract/member/favourites'
import { useEffect, useRef, useState } from 'react'
import { invalidate, removeFromPages } from '#lib/queries.ts'

export type Kind = 'service' | 'news' | 'file'

const listOf = { service: favourites.findServices, news: favourites.news, file: favourites.files }
export const endpointsOf = {
  service: [favourites.findServices, favourites.serviceIds],
  news: [favourites.news],
  file: [favourites.files],
}

/**
 * The favourites removed while the list is shown. When it is left, they are also removed from the cached list, which is
 * read again the next time. `reportChange` takes each change, which may end after that.
 */
export function useRemovals<T>(kind: Kind, idOf: (line: T) => string) {
  const [removedIds, setRemovedIds] = useState<ReadonlySet<string>>(new Set())
  const latest = useRef({ removedIds, idOf, isChanged: false, isShown: true })
  latest.current.removedIds = removedIds
  useEffect(() => {
    const state = latest.current
    state.isShown = true
    return () => {
      state.isShown = false
      if (!state.isChanged) return
      removeFromPages(listOf[kind], (line: T) => state.removedIds.has(state.idOf(line)))
      invalidate(...endpointsOf[kind])
    }
  }, [kind])
  const setRemoved = (id: string, isRemoved: boolean) =>
    setRemovedIds((before) => {
      const next = new Set(before)
      if (isRemoved) next.add(id)
      else next.delete(id)
      return next
    })
  const reportChange = (change: Promise<unknown>) => {
    latest.current.isChanged = true
    void change.then(() => {
      if (!latest.current.isShown) invalidate(...endpointsOf[kind])
    })
  }
  return { removedIds, setRemoved, reportChange }
}
