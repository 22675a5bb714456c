import { favourites, history } from '@atrium/contract/member/favourites'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { favouriteHandlers, historyHandlers } from './handlers.ts'
import { favouritesPersonalData } from './personal-data.ts'

export const favouritesArea: Area = {
  name: 'favourites',
  serve(app, host) {
    serve(app, host, favourites, favouriteHandlers)
    serve(app, host, history, historyHandlers)
  },
  personalData: favouritesPersonalData,
}
