import type { Reply } from '@atrium/contract/define'
import { personalSources } from '@atrium/contract/member/personal-sources'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'

type Kind = 'eCard' | 'books' | 'mailbox' | 'research' | 'infoCards'

/** What is kept, at once; and what the system behind it says now, as soon as that is here. */
function useKnown<K extends Kind>(kind: K) {
  type Data = Reply<(typeof personalSources)[K]>
  const endpoint = personalSources[kind] as (typeof personalSources)['eCard']
  const kept = useQuery(q(endpoint, { query: { wait: '0' } }))
  const { data, error, isError, isFetching, dataUpdatedAt, refetch } = useQuery(q(endpoint))
  return {
    data: (data === undefined ? (kept.data ?? undefined) : data) as Data | undefined,
    error,
    isError,
    isFetching,
    // What failed may be about what was kept before.
    dataUpdatedAt: dataUpdatedAt || kept.dataUpdatedAt,
    refetch: refetch as unknown as UseQueryResult<Data>['refetch'],
  }
}

export const useECard = () => useKnown('eCard')
export const useBooks = () => useKnown('books')
export const useMailbox = () => useKnown('mailbox')
export const useResearch = () => useKnown('research')
export const useInfoCards = () => useKnown('infoCards')

export const useOverview = () =>
  useQuery({ ...q(personalSources.overview), enabled: useSession() !== null })

/** Whether it is known which of these there are, as far as that is at hand: asking their systems takes longer. */
export function useAtHand() {
  const overview = useOverview()
  const card = useQuery(q(personalSources.eCard, { query: { wait: '0' } }))
  return !overview.isPending && !card.isPending
}

/** What home shows of these once it knows better; asked only where home says that it is old. */
export const useFresh = <K extends 'eCard' | 'books' | 'mailbox'>(kind: K, pending: boolean) => {
  const { data } = useQuery({
    ...q(personalSources[kind] as (typeof personalSources)['eCard']),
    enabled: pending,
  })
  return data as Reply<(typeof personalSources)[K]> | undefined
}
