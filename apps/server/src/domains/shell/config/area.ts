import { config } from '@atrium/contract/shell/config'
import { settings, tabs } from '@atrium/contract/shell/config.operator'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { settingHandlers, tabHandlers } from './console-handlers.ts'
import { configHandlers } from './handlers.ts'

export const configArea: Area = {
  name: 'config',
  serve(app, host) {
    serve(app, host, config, configHandlers)
    serve(app, host, settings, settingHandlers)
    serve(app, host, tabs, tabHandlers)
  },
}
