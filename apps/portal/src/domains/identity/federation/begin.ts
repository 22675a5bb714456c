import { federation } from '@atrium/contract/identity/federation'
import { address } from '#lib/api.ts'

/** Where an outside login begins. One leaves for it; it comes back by itself. */
export const beginAddress = (provider: string, returnTarget: string | undefined) =>
  address(federation.begin.path, { provider }, { returnTarget })
