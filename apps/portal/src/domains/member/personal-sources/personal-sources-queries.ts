import type { Reply } from '@atrium/contract/define'
import { personalSources } from '@atrium/contract/member/personal-sources'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'

type Kind = 'eCard' | 'books' | 'mailbox' | 'research' | 'infoCards'

/** The stored data immediately, then the source system's current answer once it arrives. */
function useSource<K extends Kind>(kind: K) {
  type Data = Reply<(typeof personalSources)[K]>
  const endpoint = personalSources[kind] as (typeof personalSources)['eCard']
  const stored = useQuery(q(endpoint, { query: { wait: '0' } }))
  const { data, error, isError, isFetching, dataUpdatedAt, refetch } = useQuery(q(endpoint))
  return {
    data: (data === undefined ? (stored.data ?? undefined) : data) as Data | undefined,
    error,
    isError,
    isFetching,
    // An error may refer to the stored data.
    dataUpdatedAt: dataUpdatedAt || stored.dataUpdatedAt,
    refetch: refetch as unknown as UseQueryResult<Data>['refetch'],
  }
}

export const useECard = () => useSource('eCard')
export const useBooks = () => useSource('books')
export const useMailbox = () => useSource('mailbox')
export const useResearch = () => useSource('research')
export const useInfoCards = () => useSource('infoCards')

export const useOverview = () =>
  useQuery({ ...q(personalSources.overview), enabled: useSession() !== null })

/** Whether the availability of these is known from stored data; asking their systems takes longer. */
export function useIsAvailabilityKnown() {
  const overview = useOverview()
  const card = useQuery(q(personalSources.eCard, { query: { wait: '0' } }))
  return !overview.isPending && !card.isPending
}

/** The current data for home; requested only if home's own data is out of date. */
export const useCurrentData = <K extends 'eCard' | 'books' | 'mailbox'>(
  kind: K,
  pending: boolean,
) => {
  const { data } = useQuery({
    ...q(personalSources[kind] as (typeof personalSources)['eCard']),
    enabled: pending,
  })
  return data as Reply<(typeof personalSources)[K]> | undefined
}
