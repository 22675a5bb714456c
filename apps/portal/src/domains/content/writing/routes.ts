import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { oneOf, optional, text } from '#shell/navigation/search.ts'

export const writingScreens = {
  '/pages/secondWork/gonggao/gonggaoSet': {
    area: 'writing',
    title: m.writing_edit_title,
    access: 'member',
    search: { id: optional(text), kind: oneOf('article', 'announcement') },
    staysMounted: true,
    page: () => import('#domains/content/writing/edit-page.tsx'),
  },
} satisfies Record<string, Screen>
