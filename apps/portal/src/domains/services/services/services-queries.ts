import { type Service, services } from '@atrium/contract/services/services'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { environment } from '#lib/environment.ts'
import { numberedPages, q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'

/** Some services are available on some platforms only. */
const platformType = String(environment.terminalCode)
/** The catalogue changes a few times a day; pulling down refreshes sooner. */
const staleTime = 5 * 60_000

export const useOverview = () =>
  useQuery({ ...q(services.overview, { query: { platformType } }), staleTime })

export const useServicesOfType = (typeId: string, isEnabled: boolean) =>
  useInfiniteQuery({
    ...numberedPages(services.list, { query: { typeId, platformType, pageSize: 200 } }),
    staleTime,
    enabled: isEnabled,
  })

/** Services by search terms, department, or both. */
export const useServiceSearch = (keyWords: string, organizationId: string | undefined) =>
  useInfiniteQuery({
    ...numberedPages(services.list, {
      query: { keyWords, platformType, pageSize: 50, ...(organizationId && { organizationId }) },
    }),
    staleTime,
    placeholderData: keepPreviousData,
  })

export const useDepartments = () =>
  useQuery({ ...q(services.departments, { query: { platformType } }), staleTime })

export const useServiceDetail = (serviceId: string) =>
  useQuery({ ...q(services.read, { query: { serviceId } }), staleTime })

/** The services the member has used, latest first. */
export const useUsedServices = () =>
  useInfiniteQuery(numberedPages(services.lastUseList, { query: { platformType, pageSize: 50 } }))

export const useLastUsed = () =>
  useQuery({ ...q(services.lastUsed), enabled: useSession() !== null })

/** Operators' recommendations: forced ones first, then the others, without duplicates. */
export function useRecommended(count: number) {
  const forced = useQuery({
    ...q(services.forceRecommended, { query: { platformType } }),
    staleTime,
  })
  const others = useQuery({
    ...q(services.recommended, { query: { platformType, pageSize: count } }),
    staleTime,
  })
  if (!forced.data || !others.data) return []
  const all = [...forced.data, ...others.data.list]
  return [...new Map(all.map((service) => [service.serviceId, service])).values()].slice(0, count)
}

/** The services at the top of the tab: the member's recent ones, else the most used ones. */
export function useOftenUsed(common: Service[], count: number) {
  const session = useSession()
  const { data = [], isPending } = useLastUsed()
  return {
    recent: data.length > 0,
    list: (data.length > 0 ? data : common).slice(0, count),
    waiting: session !== null && isPending,
  }
}
