import { launch } from '@atrium/contract/shell/launch'
import { diversions, openingPages, slides, themes } from '@atrium/contract/shell/launch.operator'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import {
  diversionHandlers,
  openingPageHandlers,
  slideHandlers,
  themeHandlers,
} from './console-handlers.ts'
import { launchHandlers } from './handlers.ts'

export const launchArea: Area = {
  name: 'launch',
  serve(app, host) {
    serve(app, host, launch, launchHandlers)
    serve(app, host, themes, themeHandlers)
    serve(app, host, openingPages, openingPageHandlers)
    serve(app, host, diversions, diversionHandlers)
    serve(app, host, slides, slideHandlers)
  },
}
