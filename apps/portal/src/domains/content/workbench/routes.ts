import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const workbenchScreens = {
  '/pages/secondWork/secondWorkIndex': {
    area: 'workbench',
    title: m.workbench_title,
    access: 'member',
    staysMounted: true,
    search: { department: optional(text) },
    page: () => import('#domains/content/workbench/index-page.tsx'),
  },
  '/pages/secondWork/search': {
    area: 'workbench',
    title: m.workbench_search_title,
    access: 'member',
    search: { department: optional(text), keyWords: optional(text) },
    staysMounted: true,
    page: () => import('#domains/content/workbench/search-page.tsx'),
  },
  '/pages/secondWork/help': {
    area: 'workbench',
    title: m.workbench_help_title,
    access: 'member',
    search: { keyWords: optional(text) },
    staysMounted: true,
    page: () => import('#domains/content/workbench/help-page.tsx'),
  },
} satisfies Record<string, Screen>
