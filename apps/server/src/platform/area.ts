import type { FastifyInstance } from 'fastify'
import type { Host } from './http/serve.ts'
import type { Job, ScheduledJob } from './jobs.ts'
import type { PersonalData } from './personal-data.ts'
import type { Platform } from './platform.ts'
import type { Searchable } from './search-source.ts'

/** What an area contributes to the server. Each says it in its `area.ts`; `domains.ts` gathers them. */
export type Area = {
  /** the folder, on every side */
  name: string
  /** Serves its endpoints. */
  serve?: (app: FastifyInstance, host: Host) => unknown
  /** Its background jobs. */
  jobs?: (platform: Platform) => (Job | ScheduledJob)[]
  /** What runs all the time beside the jobs, on nodes that run jobs. */
  workers?: (platform: Platform) => { stop: () => Promise<void> }[]
  /** Reads what the first who asks would wait for; every node does so once it serves. */
  warmUp?: (platform: Platform) => Promise<unknown>
  /** What it holds of people, in the order in which it is told and taken away. */
  personalData?: PersonalData
  /** What of it can be found. */
  search?: Searchable
  /** Provides what areas below it declare as extensions. */
  extend?: () => void
}
