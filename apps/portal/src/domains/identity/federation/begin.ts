import { federation } from '@atrium/contract/identity/federation'
import { buildUrl } from '#lib/api.ts'

/** The address where an external login starts; it redirects back by itself. */
export const startAddress = (provider: string, returnTarget: string | undefined) =>
  buildUrl(federation.begin.path, { provider }, { returnTarget })
