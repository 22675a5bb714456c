import type { FastifyInstance } from 'fastify'
import type { Host } from './http/serve.ts'
import type { Job, ScheduledJob } from './jobs.ts'
import type { PersonalData } from './personal-data.ts'
import type { Platform } from './platform.ts'
import type { Searchable } from './search-source.ts'

/** What an area contributes to the server. Each `area.ts` exports one; `domains.ts` collects them. */
export type Area = {
  /** folder name, the same in contract, server, portal and console */
  name: string
  /** Registers its endpoints. */
  serve?: (app: FastifyInstance, host: Host) => unknown
  /** Its background jobs. */
  jobs?: (platform: Platform) => (Job | ScheduledJob)[]
  /** Long-running workers beside the jobs, started on nodes that run jobs. */
  workers?: (platform: Platform) => { stop: () => Promise<void> }[]
  /** Warms the caches that the first request would otherwise wait for; each node calls it once it is serving. */
  warmUp?: (platform: Platform) => Promise<unknown>
  /** The personal data it stores, in the order of the data export; deleted in reverse order. */
  personalData?: PersonalData
  /** What global search finds in it. */
  search?: Searchable
  /** Provides the extensions declared by areas below it. */
  extend?: () => void
}
