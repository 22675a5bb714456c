import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const studySystemsScreens = {
  '/pages/secondWork/studySystems': {
    area: 'study-systems',
    title: m.study_systems_title,
    access: 'member',
    page: () => import('#domains/learning/study-systems/systems-page.tsx'),
  },
  '/pages/secondWork/studySystems/source': {
    area: 'study-systems',
    title: m.study_systems_source_new,
    access: 'member',
    search: { code: optional(text) },
    page: () => import('#domains/learning/study-systems/source-page.tsx'),
  },
  '/pages/secondWork/studySystems/tool': {
    area: 'study-systems',
    title: m.study_systems_tool_new,
    access: 'member',
    search: { id: optional(text) },
    page: () => import('#domains/learning/study-systems/tool-page.tsx'),
  },
} satisfies Record<string, Screen>
