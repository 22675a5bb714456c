import { type Service, services } from '@atrium/contract/services/services'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { environment } from '#lib/environment.ts'
import { numberedPages, q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'

/** Some services are for some terminals only. */
const platformType = String(environment.terminalCode)
/** The catalogue changes a few times a day; pulling down asks sooner. */
const staleTime = 5 * 60_000

export const useOverview = () =>
  useQuery({ ...q(services.overview, { query: { platformType } }), staleTime })

export const useServicesOfType = (typeId: string, wanted: boolean) =>
  useInfiniteQuery({
    ...numberedPages(services.list, { query: { typeId, platformType, pageSize: 200 } }),
    staleTime,
    enabled: wanted,
  })

/** Services by words, of one department, or both. */
export const useFoundServices = (keyWords: string, organizationId: string | undefined) =>
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

/** Everything the member used, the latest first. */
export const useUsedServices = () =>
  useInfiniteQuery(numberedPages(services.lastUseList, { query: { platformType, pageSize: 50 } }))

export const useLastUsed = () =>
  useQuery({ ...q(services.lastUsed), enabled: useSession() !== null })

/** What operators recommend: first what everybody is to see, then the rest; each service once. */
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

/** The services on top of the tab: what the member used last, else what everybody uses. */
export function useOftenUsed(common: Service[], count: number) {
  const session = useSession()
  const { data = [], isPending } = useLastUsed()
  return {
    recent: data.length > 0,
    list: (data.length > 0 ? data : common).slice(0, count),
    waiting: session !== null && isPending,
  }
}
