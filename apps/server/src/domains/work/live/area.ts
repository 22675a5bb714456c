import { live } from '@atrium/contract/work/live'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { liveHandlers } from './handlers.ts'
import { endStreams } from './streams.ts'

export const liveArea: Area = {
  name: 'live',
  serve(app, host) {
    serve(app, host, live, liveHandlers)
    app.addHook('preClose', async () => host.platform && endStreams(host.platform))
  },
}
