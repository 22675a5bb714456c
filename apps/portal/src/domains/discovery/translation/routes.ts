import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

export const translationScreens = {
  '/pages/secondWork/translation': {
    area: 'translation',
    title: m.translation_title,
    access: 'member',
    page: () => import('#domains/discovery/translation/machine-page.tsx'),
  },
} satisfies Record<string, Screen>
