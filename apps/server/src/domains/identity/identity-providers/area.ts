import { identityProviders } from '@atrium/contract/identity/federation'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { identityProviderHandlers } from './console-handlers.ts'

export const identityProvidersArea: Area = {
  name: 'identity-providers',
  serve: (app, host) => serve(app, host, identityProviders, identityProviderHandlers),
}
