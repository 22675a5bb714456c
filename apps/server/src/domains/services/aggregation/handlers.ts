import type { aggregation } from '@atrium/contract/services/aggregation'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import { findTheme, listThemeServices, listThemes } from './queries.ts'

export const aggregationHandlers: Handlers<typeof aggregation> = {
  list: ({ db, viewer }) => listThemes(db, viewer),

  async read({ db, viewer, query, platform }) {
    const theme = (await findTheme(db, viewer, query.id)) ?? fail('service.aggregation_not_found')
    const pictures = await picturesOf(platform)
    return { ...theme, services: await listThemeServices(db, viewer, pictures, theme.id) }
  },
}
