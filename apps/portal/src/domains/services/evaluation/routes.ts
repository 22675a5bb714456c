import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { text } from '#shell/navigation/search.ts'

export const evaluationScreens = {
  '/pages/service/evaluate': {
    area: 'evaluation',
    title: m.evaluation_title,
    access: 'member',
    search: { serviceId: text },
    page: () => import('#domains/services/evaluation/evaluate-page.tsx'),
  },
} satisfies Record<string, Screen>
