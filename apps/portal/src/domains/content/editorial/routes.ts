import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { oneOf, optional, text } from '#shell/navigation/search.ts'

export const workbenchScreens = {
  '/pages/secondWork/news/news': {
    area: 'workbench',
    title: m.workbench_news_title,
    access: 'member',
    page: () => import('#domains/content/editorial/news-page.tsx'),
  },
  '/pages/secondWork/gonggao/gonggaoList': {
    area: 'workbench',
    title: m.workbench_announcements_title,
    access: 'member',
    page: () => import('#domains/content/editorial/announcements-page.tsx'),
  },
  '/pages/secondWork/gonggao/gonggaoSet': {
    area: 'workbench',
    title: m.workbench_edit_title,
    access: 'member',
    search: { id: optional(text), kind: oneOf('article', 'announcement') },
    page: () => import('#domains/content/editorial/edit-page.tsx'),
  },
} satisfies Record<string, Screen>
