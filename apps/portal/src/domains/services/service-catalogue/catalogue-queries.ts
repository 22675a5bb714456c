import { workbench } from '@atrium/contract/content/workbench.operator'
import { maintenance, serviceHealth } from '@atrium/contract/services/health'
import {
  catalogue,
  type ManagedService,
} from '@atrium/contract/services/service-catalogue.operator'
import { servicePages } from '@atrium/contract/services/service-pages.operator'
import { services } from '@atrium/contract/services/services'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { inDepartment } from '#domains/content/workbench/workbench-queries.ts'
import { numberedPages, q, setAnswer } from '#lib/queries.ts'

export type State = 'all' | 'online' | 'offline'

export const useServices = (department: string | undefined, state: State, keyWords: string) =>
  useInfiniteQuery(
    numberedPages(catalogue.list, {
      query: {
        ...inDepartment(department),
        ...(state !== 'all' && { online: state === 'online' }),
        ...(keyWords && { keyWords }),
      },
    }),
  )

export const useTroubled = (department: string | undefined) =>
  useInfiniteQuery(
    numberedPages(serviceHealth.list, { query: { all: false, ...inDepartment(department) } }),
  )

/** Services that can be named as an alternative: the operator's own ones visible to members, at most two hundred. */
export const useOnline = () =>
  useQuery({
    ...q(catalogue.list, { query: { online: true, pageSize: 200 } }),
    staleTime: 5 * 60_000,
  })

export const useService = (id: string) => useQuery(q(catalogue.read, { params: { id } }))
export const useGuide = (id: string) => useQuery(q(catalogue.readGuide, { params: { id } }))
export const useWindows = (serviceId: string) =>
  useQuery(q(maintenance.list, { query: { serviceId } }))
export const usePages = (serviceId: string) =>
  useQuery(q(servicePages.list, { params: { serviceId } }))

/** Endpoints to invalidate after a change of a service. */
export const changed = [
  catalogue.list,
  catalogue.readGuide,
  serviceHealth.list,
  maintenance.list,
  servicePages.list,
  services.list,
  workbench.read,
] as const

export const cacheService = (service: ManagedService) =>
  setAnswer(q(catalogue.read, { params: { id: service.serviceId } }), service)
