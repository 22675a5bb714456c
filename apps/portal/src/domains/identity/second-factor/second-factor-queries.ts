import { secondFactor } from '@atrium/contract/identity/second-factor'
import { useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'

export const useFactors = () => useQuery(q(secondFactor.read))
/** Endpoints to invalidate after a change of the factors. */
export const shownFactors = [secondFactor.read]
