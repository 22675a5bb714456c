import { news } from '@atrium/contract/content/news'
import { favourites, history } from '@atrium/contract/member/favourites'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#lib/api.ts'
import { invalidate, pages, q, setAnswer } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { useAction } from '#shell/page/action.ts'

const serviceIds = q(favourites.serviceIds)

/** The member's favourites, newest first. Changes are optimistic and reverted if the server refuses them. */
export function useFavouriteServices() {
  const session = useSession()
  const { data = [] } = useQuery({
    ...serviceIds,
    staleTime: 5 * 60_000,
    enabled: session !== null,
  })
  const done = () => invalidate(favourites.findServices)
  const add = useAction(favourites.addService, { done })
  const remove = useAction(favourites.removeService, { done })
  const toggle = async (serviceId: string) => {
    const isFavourite = !data.includes(serviceId)
    showFavourite(serviceId, isFavourite)
    const action = isFavourite ? add : remove
    await action
      .mutateAsync({ body: { serviceId } })
      .catch(() => showFavourite(serviceId, !isFavourite))
  }
  return { ids: data, toggle }
}

function showFavourite(serviceId: string, favourite: boolean) {
  setAnswer(serviceIds, (ids = []) => {
    const others = ids.filter((id) => id !== serviceId)
    return favourite ? [serviceId, ...others] : others
  })
}

const pageSize = 50

export const useServicePages = (keyWords: string) =>
  useInfiniteQuery(pages(favourites.findServices, { query: { keyWords, pageSize } }))

export const useNewsPages = (keyWords: string) =>
  useInfiniteQuery(pages(favourites.news, { query: { keyWords, pageSize } }))

export const useFilePages = (keyWords: string) =>
  useInfiniteQuery(pages(favourites.files, { query: { keyWords, pageSize } }))

/** Addresses of favourite files, and a function to change them: one query for a whole list of files. */
export function useFavouriteFiles() {
  const links = q(favourites.fileLinks)
  const { data = [] } = useQuery({ ...links, enabled: useSession() !== null })
  const action = useAction(favourites.toggleFile, { invalidates: [favourites.files] })
  const show = (link: string, favourite: boolean) =>
    setAnswer(links, (before = []) => {
      const others = before.filter((other) => other !== link)
      return favourite ? [link, ...others] : others
    })
  const toggle = async (fileLink: string, fileName: string) => {
    const isFavourite = !data.includes(fileLink)
    show(fileLink, isFavourite)
    await action
      .mutateAsync({ body: { fileLink, fileName, type: isFavourite ? '1' : '0' } })
      .catch(() => show(fileLink, !isFavourite))
  }
  return { links: data, toggle }
}

/** Whether an article is a favourite, and a function to change that. */
export function useFavouriteArticle(id: string) {
  const state = q(favourites.state, { query: { id } })
  const { data } = useQuery({ ...state, enabled: useSession() !== null })
  const action = useAction(favourites.toggleNews, { invalidates: [favourites.news] })
  const favourite = data?.favourite ?? false
  const show = (next: boolean) => setAnswer(state, { favourite: next })
  const toggle = async () => {
    show(!favourite)
    await action
      .mutateAsync({ body: { id, type: favourite ? '0' : '1' } })
      .catch(() => show(favourite))
  }
  return { favourite, toggle }
}

export const useHistoryPages = () => useInfiniteQuery(pages(history.list, { query: { pageSize } }))

/**
 * Reports that an article was read: for a member it enters the history and counts, for a visitor it counts. Failures
 * are ignored.
 */
export function useRecordedReading(id: string) {
  const member = useSession() !== null
  useEffect(() => {
    if (!member) {
      call(news.countRead, { params: { id } }).catch(() => {})
      return
    }
    call(history.record, { body: { id } })
      .then(() => invalidate(history.list))
      .catch(() => {})
  }, [id, member])
}
