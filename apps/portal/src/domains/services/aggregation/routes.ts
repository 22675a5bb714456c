import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const aggregationScreens = {
  '/pages/service/aggregationService': {
    area: 'aggregation',
    title: m.aggregation_title,
    access: 'guest',
    search: { id: optional(text) },
    page: () => import('#domains/services/aggregation/aggregation-page.tsx'),
  },
} satisfies Record<string, Screen>
