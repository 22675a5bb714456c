import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const evaluationScreens = {
  '/pages/service/evaluate': {
    area: 'evaluation',
    title: m.evaluation_title,
    access: 'member',
    search: { serviceId: text },
    page: () => import('#domains/services/evaluation/evaluate-page.tsx'),
  },
  '/pages/secondWork/service/opinions': {
    area: 'evaluation',
    title: m.evaluation_waiting_title,
    access: 'member',
    search: { department: optional(text) },
    staysMounted: true,
    page: () => import('#domains/services/evaluation/waiting-page.tsx'),
  },
} satisfies Record<string, Screen>
