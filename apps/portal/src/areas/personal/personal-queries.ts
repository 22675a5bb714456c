import { config } from '@atrium/contract/config'
import { personal } from '@atrium/contract/personal'
import { useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'

export const useProfile = () => useQuery(q(personal.me))
export const useECard = () => useQuery(q(personal.eCard))

/** One of the institution's texts. */
export type InstitutionText =
  | 'userAgreement'
  | 'userPrivacy'
  | 'privacyGuidelines'
  | 'faceProtocol'
  | 'personalInformation'
  | 'thirdParty'
  | 'privacyProtection'
  | 'aboutText'
  | 'aboutDetail'

export const useInstitutionText = (name: InstitutionText) =>
  useQuery({ ...q(config.text, { query: { name } }), staleTime: 10 * 60_000 })
