import { secondFactor } from '@atrium/contract/identity/second-factor'
import { useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'

export const useFactors = () => useQuery(q(secondFactor.read))
/** What shows the member's factors, and is out of date after a change. */
export const shownFactors = [secondFactor.read]
