import { images } from '@atrium/contract/content/images'
import type { Area } from '#platform/area.ts'
import { unlimited } from '#platform/http/request-limit.ts'
import { serve } from '#platform/http/serve.ts'
import { imageHandlers } from './handlers.ts'

export const imagesArea: Area = {
  name: 'images',
  async serve(app, host) {
    await unlimited(app, async (scope) => {
      serve(scope, host, images, imageHandlers)
    })
  },
}
