import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

export const delegationsScreens = {
  '/msgCenter/pages/task/delegations': {
    area: 'delegations',
    title: m.delegations_title,
    access: 'member',
    page: () => import('#domains/work/delegations/delegations-page.tsx'),
  },
} satisfies Record<string, Screen>
