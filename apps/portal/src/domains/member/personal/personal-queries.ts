import { operators } from '@atrium/contract/identity/operators.operator'
import { personal } from '@atrium/contract/member/personal'
import { config } from '@atrium/contract/shell/config'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { q } from '#lib/queries.ts'
import { getSession } from '#lib/session.ts'
import { write } from '#lib/storage.ts'
import { useSettings } from '#shell/config.ts'

/** The profile; also updates the copy stored on the device. */
export function useProfile() {
  const query = useQuery(q(personal.me))
  const { data } = query
  useEffect(() => {
    if (!data || data.accountId !== getSession()?.accountId) return
    const { userName, accountId, identityTypeCode } = data
    const { organizationCode, organizationId, organizationName } = data
    write('myInfo', {
      userName,
      accountId,
      identityTypeCode,
      organizationCode,
      organizationId,
      organizationName,
    })
  }, [data])
  return query
}

/** The member's permissions as an operator; requested only if the workbench is turned on. */
export function useOwnPermissions() {
  const enabled = useSettings().ENV_ENABLE_DEPARTMENT_WORK_BENCH === '1'
  const { data } = useQuery({ ...q(operators.own), enabled, staleTime: 5 * 60_000 })
  return (enabled && data) || []
}

/** The names of the institution's texts. */
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
