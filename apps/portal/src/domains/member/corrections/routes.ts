import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const correctionsScreens = {
  '/pages/myInfo/correct': {
    area: 'corrections',
    title: m.corrections_title,
    access: 'member',
    search: { field: optional(text) },
    page: () => import('#domains/member/corrections/corrections-page.tsx'),
  },
} satisfies Record<string, Screen>
