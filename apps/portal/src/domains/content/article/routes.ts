import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const articleScreens = {
  '/pagesA/news/detail': {
    area: 'article',
    title: m.news_detail_title,
    access: 'guest',
    search: { id: text, columnId: optional(text) },
    beside: ['/pagesA/news/news', '/pages/newsInfo/newsInfo', '/pages/msgCenterTab/news/news'],
    page: () => import('#domains/content/article/detail-page.tsx'),
  },
  '/pagesA/news/detail_dz': {
    area: 'article',
    title: m.news_detail_title,
    access: 'guest',
    search: { id: text, columnId: optional(text) },
    page: () => import('#domains/content/article/detail-page.tsx'),
  },
} satisfies Record<string, Screen>
