import { map } from '@atrium/contract/shell/map'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { mapHandlers } from './handlers.ts'
import { mapSearch } from './search-source.ts'

export const mapArea: Area = {
  name: 'map',
  serve(app, host) {
    serve(app, host, map, mapHandlers)
  },
  search: mapSearch,
}
