import type { Query } from '@atrium/contract/define'
import { addressBook, maxPeople } from '@atrium/contract/member/address-book'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { numberedPages, q } from '#lib/queries.ts'

export const useLevel = (parentId: string | undefined) =>
  useQuery(q(addressBook.organizations, { query: { ...(parentId && { parentId }) } }))

/** Not refetched on focus: every read of a list of people counts towards the member's limit. */
export const usePeople = (
  query: Pick<Query<typeof addressBook.people>, 'orgId' | 'groupId' | 'keyWords'>,
) =>
  useInfiniteQuery({
    ...numberedPages(addressBook.people, { query: { ...query, pageSize: maxPeople } }),
    refetchOnWindowFocus: false,
  })

export const useGroups = () => useQuery(q(addressBook.groups))
export const useFavourites = () => useQuery(q(addressBook.favourites))

export const usePerson = (accountName: string) =>
  useQuery({
    ...q(addressBook.person, { params: { accountName } }),
    refetchOnWindowFocus: false,
  })
