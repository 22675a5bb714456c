import { scimClients } from '@atrium/contract/identity/scim'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { scimClientHandlers } from './console-handlers.ts'
import { scimPersonalData } from './personal-data.ts'
import { serveScim } from './routes.ts'

export const scimArea: Area = {
  name: 'scim',
  async serve(app, host) {
    serve(app, host, scimClients, scimClientHandlers)
    await serveScim(app, host)
  },
  personalData: scimPersonalData,
}
