import { centralLogin, ticketValidation } from '@atrium/contract/sso/central-login'
import { logoutMessageFactories } from '#domains/sso/registry/logout-worker.ts'
import type { Area } from '#platform/area.ts'
import { withCookies, withXmlBody } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { centralLoginHandlers } from './handlers.ts'
import { logoutRequest } from './logout-request.ts'
import { ticketValidationHandlers } from './validate-handlers.ts'

export const centralLoginArea: Area = {
  name: 'central-login',
  async serve(app, host) {
    await withCookies(app, async (scope) => {
      serve(scope, host, centralLogin, centralLoginHandlers)
    })
    await withXmlBody(app, async (scope) => {
      serve(scope, host, ticketValidation, ticketValidationHandlers)
    })
  },
  extend() {
    logoutMessageFactories.provide({
      protocol: 'cas',
      make: (_platform, key) => logoutRequest(key),
    })
  },
}
