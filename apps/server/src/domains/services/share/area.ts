import { share } from '@atrium/contract/services/share'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { shareHandlers } from './handlers.ts'

export const shareArea: Area = {
  name: 'share',
  serve(app, host) {
    serve(app, host, share, shareHandlers)
  },
}
