import { consent } from '@atrium/contract/sso/consent'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { consentHandlers } from './handlers.ts'
import { consentPersonalData } from './personal-data.ts'

export const consentArea: Area = {
  name: 'consent',
  serve(app, host) {
    serve(app, host, consent, consentHandlers)
  },
  personalData: consentPersonalData,
}
