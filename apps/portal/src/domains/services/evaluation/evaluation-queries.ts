import { evaluation } from '@atrium/contract/services/evaluation'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { pages, q } from '#lib/queries.ts'

/** Whether the member may rate a service, and their rating. Not refetched on focus, since the form is based on it. */
export const useOwnEvaluation = (serviceId: string) =>
  useQuery({
    ...q(evaluation.mine, { query: { serviceId } }),
    refetchOnWindowFocus: false,
  })

export const useScore = (code: string, isEnabled = true) =>
  useQuery({ ...q(evaluation.score, { query: { code } }), enabled: isEnabled })

export const useStandardAverages = (code: string, isEnabled: boolean) =>
  useQuery({ ...q(evaluation.standardAverage, { query: { code } }), enabled: isEnabled })

export const useOpinions = (code: string) =>
  useInfiniteQuery(pages(evaluation.list, { query: { code } }))

/** The latest two. */
export const useNewestOpinions = (code: string, isEnabled: boolean) =>
  useQuery({ ...q(evaluation.list, { query: { code, pageSize: 2 } }), enabled: isEnabled })
