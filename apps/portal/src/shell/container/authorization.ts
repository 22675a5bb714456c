import { consent } from '@atrium/contract/sso/consent'
import { call } from '#lib/api.ts'

/**
 * Whether the member has agreed to share data with this service. Stored on the server, so it holds in every container.
 */
export const authorizationOf = async (serviceId: string) => {
  const { authorized } = await call(consent.state, { query: { serviceId } })
  return { authorized }
}
