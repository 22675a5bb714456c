import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { oneOf, optional } from '#shell/navigation/search.ts'

export const rankingsScreens = {
  '/pages/service/ranking': {
    area: 'rankings',
    title: m.rankings_title,
    access: 'guest',
    search: {
      tab: optional(oneOf('hot', 'collect', 'online')),
      window: optional(oneOf('week', 'month', 'quarter')),
    },
    staysMounted: true,
    page: () => import('#domains/services/rankings/ranking-page.tsx'),
  },
} satisfies Record<string, Screen>
