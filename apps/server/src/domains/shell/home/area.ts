import { home } from '@atrium/contract/shell/home'
import type { Area } from '#platform/area.ts'
import { withCookies } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { homeHandlers } from './handlers.ts'
import { openPaintedTab } from './painted-tab.ts'
import { homePersonalData } from './personal-data.ts'

export const homeArea: Area = {
  name: 'home',
  serve(app, host) {
    const handlers = { ...homeHandlers, paintedTab: openPaintedTab(host.painter) }
    withCookies(app, (scope) => serve(scope, host, home, handlers))
  },
  personalData: homePersonalData,
}
