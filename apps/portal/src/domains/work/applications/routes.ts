import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const applicationsScreens = {
  '/msgCenter/pages/task/applications': {
    area: 'applications',
    title: m.applications_title,
    access: 'member',
    page: () => import('#domains/work/applications/applications-page.tsx'),
  },
  '/msgCenter/pages/task/apply': {
    area: 'applications',
    title: m.applications_apply_title,
    access: 'member',
    search: { code: optional(text), id: optional(text) },
    page: () => import('#domains/work/applications/apply-page.tsx'),
  },
} satisfies Record<string, Screen>
