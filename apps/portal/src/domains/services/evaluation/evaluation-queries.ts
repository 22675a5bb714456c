import { evaluation } from '@atrium/contract/services/evaluation'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { pages, q } from '#lib/queries.ts'

/** What the member may say of a service, and has said. A form stands on it: it does not change under the fingers. */
export const useMine = (serviceId: string) =>
  useQuery({
    ...q(evaluation.mine, { query: { serviceId } }),
    refetchOnWindowFocus: false,
  })

export const useScore = (code: string, wanted = true) =>
  useQuery({ ...q(evaluation.score, { query: { code } }), enabled: wanted })

export const useStandardAverages = (code: string, wanted: boolean) =>
  useQuery({ ...q(evaluation.standardAverage, { query: { code } }), enabled: wanted })

export const useOpinions = (code: string) =>
  useInfiniteQuery(pages(evaluation.list, { query: { code } }))

/** The newest few. */
export const useNewestOpinions = (code: string, wanted: boolean) =>
  useQuery({ ...q(evaluation.list, { query: { code, pageSize: 2 } }), enabled: wanted })
