import { consent } from '@atrium/contract/sso/consent'
import { call } from '#lib/api.ts'

/** Whether the member has agreed to what a service is told; the server keeps it, for every container. */
export const authorizationOf = async (serviceId: string) => {
  const { authorized } = await call(consent.state, { query: { serviceId } })
  return { authorized }
}
