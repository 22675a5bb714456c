import { type Service, services } from '@atrium/contract/services'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { q, queryClient } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { useAction } from '#shell/action.ts'

const wholeList = 9999
/** The catalogue changes a few times a day; pulling down asks sooner. */
const staleTime = 5 * 60_000

export const useOverview = () => useQuery({ ...q(services.overview), staleTime })

export const useServicesOfType = (typeId: string, wanted: boolean) =>
  useQuery({
    ...q(services.list, { query: { typeId, pageSize: wholeList } }),
    staleTime,
    enabled: wanted,
  })

export const useAllServices = (wanted: boolean) =>
  useQuery({
    ...q(services.list, { query: { pageSize: wholeList } }),
    staleTime,
    enabled: wanted,
  })

export const useFoundServices = (keyWords: string) =>
  useQuery({
    ...q(services.list, { query: { keyWords, pageSize: 50 } }),
    staleTime,
    enabled: keyWords !== '',
    placeholderData: keepPreviousData,
  })

export const useServiceDetail = (serviceId: string) =>
  useQuery({ ...q(services.read, { query: { serviceId } }), staleTime })

/** The services on top of the tab: what the member used last, else what everybody uses. */
export function useOftenUsed(common: Service[], count: number) {
  const session = useSession()
  const { data = [], isPending } = useQuery({
    ...q(services.lastUsed),
    enabled: session !== null,
  })
  return {
    recent: data.length > 0,
    list: (data.length > 0 ? data : common).slice(0, count),
    waiting: session !== null && isPending,
  }
}

const favouritesKey = q(services.favouriteIds).queryKey

/** The member's favourites, newest last. A change shows at once and is taken back where the server refuses it. */
export function useFavourites() {
  const session = useSession()
  const { data = [] } = useQuery({
    ...q(services.favouriteIds),
    staleTime,
    enabled: session !== null,
  })
  const add = useAction(services.addFavourite)
  const remove = useAction(services.removeFavourite)
  const toggle = async (serviceId: string) => {
    const wanted = !data.includes(serviceId)
    await queryClient.cancelQueries({ queryKey: favouritesKey })
    showFavourite(serviceId, wanted)
    const action = wanted ? add : remove
    await action.mutateAsync({ body: { serviceId } }).catch(() => showFavourite(serviceId, !wanted))
  }
  return { ids: data, toggle }
}

function showFavourite(serviceId: string, favourite: boolean) {
  queryClient.setQueryData(favouritesKey, (ids = []) => {
    const others = ids.filter((id) => id !== serviceId)
    return favourite ? [...others, serviceId] : others
  })
}
